import type { HistoryEntry, HistoryInput } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import type { ManagedGuild } from '../auth/managed-guild.ts';
import type { StoredGuild } from '../store/store.ts';

/** Which entries of a history to read. */
export type HistoryQuery = Omit<HistoryInput, 'guild'>;

/** A part of a history, the newest change first, with its JSON. */
export interface HistoryPart {
  readonly entries: readonly HistoryEntry[];
  /** The next part has the changes before this revision; undefined: there is none. */
  readonly nextBefore: number | undefined;
  /** The document `HistoryPage`. */
  readonly json: string;
}

/** Characters of JSON in the cache: some 800 parts of 50 entries. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/**
 * Time for which a part is cached. Erasing the id of a person changes lines without a new revision of their guilds: a part
 * may have the id for so long after that.
 */
const TTL_MS = 1_000;

/** What the content of a part depends on beside the query. */
interface HistoryState {
  readonly guild: ManagedGuild;
  /** A change, an undo among them, gives the guild a new revision. */
  readonly stored: Pick<StoredGuild, 'revision' | 'updatedAt'>;
  /** The oldest revision in the log, which retention moves. */
  readonly oldest: number;
}

/**
 * Cache of parts of histories. Reading and rendering 50 lines of the log costs some three times as much as the rest of a
 * request. A part is returned only for the revision and the bounds of the log that the store returned in the same request.
 */
export class HistoryParts {
  readonly #cached = new LRUCache<string, HistoryPart>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ json }) => json.length,
    ttl: TTL_MS,
  });

  /** Returns a part; undefined: not cached. */
  find(state: HistoryState, query: HistoryQuery): HistoryPart | undefined {
    return this.#cached.get(keyOf(state, query));
  }

  /** Renders a part, and caches it. */
  render(state: HistoryState, query: HistoryQuery, part: Omit<HistoryPart, 'json'>): HistoryPart {
    const rendered = renderedPart(part);
    this.#cached.set(keyOf(state, query), rendered);
    return rendered;
  }
}

/** Returns a part with its JSON. */
export function renderedPart({ entries, nextBefore }: Omit<HistoryPart, 'json'>): HistoryPart {
  return { entries, nextBefore, json: JSON.stringify({ entries }) };
}

function keyOf({ guild, stored, oldest }: HistoryState, query: HistoryQuery): string {
  const { after, before, limit, actor, field, kind } = query;
  const parts = [guild.id, stored.revision, stored.updatedAt, oldest, after, before, limit, actor, field, kind];
  return parts.join();
}
