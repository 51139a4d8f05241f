import { type Guild, type GuildPatch, settingsOf } from '@guild-settings/contract';
import type { ManagedGuild } from '../auth/managed-guild.ts';
import type { WritePermission } from '../auth/write-permission.ts';
import type { Change, GuildVersion, Store, StoredGuild } from '../store/store.ts';
import type { Command } from './command.ts';
import type { Precondition } from './precondition.ts';
import { recordOf } from './record.ts';
import { RecordCache, type RenderedGuild, renderedOf } from './record-cache.ts';

/** Record of a guild and its revision; 0 for a guild without a row. */
export interface GuildAtRevision {
  readonly guild: Guild;
  readonly revision: number;
}

/** Who makes a change, over which transport, why, and on which condition. */
export interface ChangeOptions extends Pick<Change, 'actor' | 'origin' | 'reason'> {
  readonly precondition: Precondition | undefined;
}

/** Reads and changes guilds for those who manage them. */
export class GuildService {
  readonly #store: Store<Command>;
  readonly #changeLogBytesPerDay: number;
  readonly #records = new RecordCache();

  /** @param changeLogBytesPerDay bytes that settings changes of one guild may log in one UTC day; 0: no limit */
  constructor(store: Store<Command>, changeLogBytesPerDay: number) {
    this.#store = store;
    this.#changeLogBytesPerDay = changeLogBytesPerDay;
  }

  /**
   * Returns the current record. Reading writes nothing: a guild without a row has the defaults.
   * @param version version of the guild that the store returned in this request; null: nothing is stored
   */
  async read(managed: ManagedGuild, version: GuildVersion | null): Promise<RenderedGuild> {
    const cached = version && this.cached(managed, version);
    if (cached) return cached;
    const stored = version && (await this.#store.read(managed.id));
    if (stored) return this.#records.render(managed, stored);
    return renderedOf(present(managed, null).guild, 0);
  }

  /** Returns the record of a version if it is cached. */
  cached(managed: ManagedGuild, version: GuildVersion): RenderedGuild | undefined {
    return this.#records.find(managed, version);
  }

  /**
   * Merges a patch into the record: omitted fields stay, arrays are replaced whole. A patch that sets what is there
   * already is a success without a new revision.
   * @returns the record after the change
   * @throws ProblemError revision-mismatch, with the current record, when the condition does not hold; change-log-full
   * @throws WritePermissionExpiredError when the permission expired before the write began
   */
  async update(
    { guild: managed, mayWriteUntilMs }: WritePermission,
    patch: GuildPatch,
    { precondition, ...change }: ChangeOptions,
  ): Promise<GuildAtRevision> {
    const { id, profile } = managed;
    const { guilds } = await this.#store.write({
      kind: 'update-settings',
      guildIds: [id],
      patch: settingsOf(patch),
      change,
      ...(precondition && { precondition }),
      ...(profile && { profile }),
      permittedUntilMs: mayWriteUntilMs,
      changeLogBytesPerDay: this.#changeLogBytesPerDay,
    });
    return present(managed, guilds[0] ?? null);
  }
}

function present(managed: ManagedGuild, stored: StoredGuild | null): GuildAtRevision {
  return { revision: stored?.revision ?? 0, guild: recordOf(managed.id, stored, managed.profile) };
}
