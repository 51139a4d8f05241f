import type { Guild, GuildId, GuildProfile } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import type { ManagedGuild } from '../auth/managed-guild.ts';
import type { GuildVersion, StoredGuild } from '../store/store.ts';
import { recordOf } from './record.ts';

/** Record of a guild and its JSON. */
export interface RenderedGuild {
  readonly guild: Guild;
  readonly revision: number;
  readonly json: string;
  /** Value of `Content-Length`: bytes of the JSON. */
  readonly length: string;
}

interface CachedRecord extends RenderedGuild {
  readonly updatedAt: number;
  /** Whether the bot reported name and icon. Otherwise they are from a user's own guild list. */
  readonly hasBotProfile: boolean;
  readonly profile: GuildProfile | undefined;
}

/** Characters of JSON in the cache: some 100,000 guilds of the usual size. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/**
 * Cache of rendered records. A record is returned only for the version that the store returned for its guild in the same
 * request, so a change in any process invalidates it.
 */
export class RecordCache {
  readonly #cached = new LRUCache<GuildId, CachedRecord>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ json }) => json.length,
  });

  /** Returns the record of a version; undefined: not cached. */
  find({ id, profile }: ManagedGuild, { revision, updatedAt }: GuildVersion): RenderedGuild | undefined {
    const cached = this.#cached.get(id);
    // `updatedAt` matters where an older copy of the database was restored under a running process.
    const isCurrent = cached?.revision === revision && cached.updatedAt === updatedAt;
    return isCurrent && (cached.hasBotProfile || cached.profile === profile) ? cached : undefined;
  }

  /** Renders a record and caches it. */
  render({ id, profile }: ManagedGuild, stored: StoredGuild): RenderedGuild {
    const { revision, updatedAt } = stored;
    const guild = Object.freeze(recordOf(id, stored, profile));
    const rendered = renderedOf(guild, revision);
    this.#cached.set(id, { ...rendered, updatedAt, hasBotProfile: stored.name !== null, profile });
    return rendered;
  }
}

/** Returns a record with its JSON. */
export function renderedOf(guild: Guild, revision: number): RenderedGuild {
  const json = JSON.stringify(guild);
  return { guild, revision, json, length: String(Buffer.byteLength(json)) };
}
