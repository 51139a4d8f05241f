import type { Guild, GuildId, GuildProfile } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import type { ManagedGuild } from '../auth/managed-guild.ts';
import type { GuildVersion, StoredGuild } from '../store/store.ts';
import { recordOf } from './record.ts';

/** A record, and the same as JSON. */
export interface RenderedGuild {
  readonly guild: Guild;
  readonly revision: number;
  readonly json: string;
  /** Bytes of the JSON, as a header says it. */
  readonly length: string;
}

interface Known extends RenderedGuild {
  readonly updatedAt: number;
  /** Whether name and icon are the bot's; otherwise they are of a caller's own guild list. */
  readonly isForAll: boolean;
  readonly profile: GuildProfile | undefined;
}

/** Characters of JSON that are kept: some 100,000 guilds of the usual size. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/**
 * Records that were rendered before. One is given out only for the version that the store gives of its guild in that very
 * request, so whatever changed it, here or in another process, has put it out of use: nobody has to say so.
 */
export class RecordCache {
  readonly #known = new LRUCache<GuildId, Known>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ json }) => json.length,
  });

  /** The record as of a version, if it is known. */
  find({ id, profile }: ManagedGuild, { revision, updatedAt }: GuildVersion): RenderedGuild | undefined {
    const known = this.#known.get(id);
    // The revision alone would do, but for a database that was put back from an older copy under a running process.
    const isCurrent = known?.revision === revision && known.updatedAt === updatedAt;
    return isCurrent && (known.isForAll || known.profile === profile) ? known : undefined;
  }

  /** Renders a record, and remembers it. */
  render({ id, profile }: ManagedGuild, stored: StoredGuild): RenderedGuild {
    const { revision, updatedAt } = stored;
    const guild = Object.freeze(recordOf(id, stored, profile));
    const rendered = renderedOf(guild, revision);
    this.#known.set(id, { ...rendered, updatedAt, isForAll: stored.name !== null, profile });
    return rendered;
  }
}

/** A record with its JSON. */
export function renderedOf(guild: Guild, revision: number): RenderedGuild {
  const json = JSON.stringify(guild);
  return { guild, revision, json, length: String(Buffer.byteLength(json)) };
}
