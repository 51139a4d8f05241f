import {
  type Difference,
  type FieldChanges,
  type FieldPatch,
  type GuildId,
  isOfShard,
  ProblemError,
} from '@guild-settings/contract';
import type { GuildAccess, OwnedGuild } from '../auth/guild-access.ts';
import type { Clock } from '../clock.ts';
import type { Change, GuildStore, HistoryStore, StoredGuild } from '../store/guild-store.ts';
import { type ErasureStore, type PresenceStore, type ReportedShard, WriteUnconfirmedError } from '../store/store.ts';
import { updateSettings } from './apply-command.ts';
import { fieldChanges } from './change-log.ts';
import type { Command, FeatureSwitch, UpdateSettings, WritePermission } from './command.ts';
import type { GuildAtRevision, Precondition, Records } from './record.ts';

/** Record of a guild after a change, and that change; undefined: no change. */
export interface ChangedGuild extends GuildAtRevision {
  readonly change: Change | undefined;
}

export interface PermittedPatch {
  readonly permission: WritePermission;
  readonly patch: FieldPatch;
}

/**
 * Outcome of one of several changes: the change, empty if it had no effect, or the error that
 * {@link GuildService.update} would throw.
 */
export type ChangeOutcome = { readonly changes: FieldChanges } | { readonly refusal: unknown };

export interface ChangeOptions extends Pick<Change, 'actor' | 'origin' | 'reason' | 'target'> {
  readonly precondition: Precondition | undefined;
  readonly mayReserved?: boolean;
  /** The path to the settings in the request, for the paths of issues in problems; empty unless given. */
  readonly settingsAt?: readonly string[];
  readonly computedAt?: number;
}

type ReadShards = () => Promise<readonly ReportedShard[]>;

type Stores = GuildStore<Command> & HistoryStore & PresenceStore & ErasureStore;

export interface GuildServiceOptions {
  readonly store: Pick<Stores, 'read' | 'write' | 'writeAll' | 'readErasure' | 'reportedShards' | 'finishErasures'>;
  readonly clock: Clock;
  readonly records: Records;
  /** Maximum bytes that settings changes of one guild may log per UTC day; 0: no limit. */
  readonly changeLogBytesPerDay: number;
  readonly inviteUrlOf: (id: GuildId) => string;
}

export class GuildService {
  readonly #options: GuildServiceOptions;

  constructor(options: GuildServiceOptions) {
    this.#options = options;
  }

  /**
   * Refuses a guild that the bot is not in. Until a bot has reported the guild's shard, every guild is accepted.
   * @returns the stored guild; null: nothing is stored
   * @throws ProblemError bot-absent
   */
  async requireBot(managed: GuildAccess): Promise<StoredGuild | null> {
    return this.#requireBot(managed, () => this.#options.store.reportedShards());
  }

  /**
   * Returns the error that {@link requireBot} would throw for each of these guilds, with few queries.
   * @returns in the order of the guilds; undefined: the bot is in the guild
   */
  async findBotAbsent(guilds: readonly GuildAccess[]): Promise<readonly unknown[]> {
    const reportedShards = this.#readShardsOnce();
    const refusalOf = (guild: GuildAccess) =>
      this.#requireBot(guild, reportedShards).then(
        () => undefined,
        (refusal: unknown) => refusal,
      );
    return Promise.all(guilds.map(refusalOf));
  }

  /**
   * Returns whether the bot is in each of these guilds, with few queries.
   * @returns in the order of the guilds; null: no bot has reported the guild's shard
   */
  async botPresence(guilds: readonly GuildAccess[]): Promise<readonly (boolean | null)[]> {
    const reportedShards = this.#readShardsOnce();
    const found = await Promise.all(guilds.map((guild) => this.#presenceOf(guild, reportedShards)));
    return found.map(({ isPresent }) => isPresent);
  }

  async #requireBot(managed: GuildAccess, reportedShards: ReadShards): Promise<StoredGuild | null> {
    const { isPresent, stored } = await this.#presenceOf(managed, reportedShards);
    if (isPresent !== false) return stored;
    throw new ProblemError('bot-absent', { inviteUrl: this.#options.inviteUrlOf(managed.id) });
  }

  /** Returns a function that reads the reported shards on the first call and returns the same result afterwards. */
  #readShardsOnce(): ReadShards {
    let shards: ReturnType<ReadShards> | undefined;
    return () => {
      shards ??= this.#options.store.reportedShards();
      return shards;
    };
  }

  async #presenceOf(
    managed: GuildAccess,
    reportedShards: ReadShards,
  ): Promise<{ readonly isPresent: boolean | null; readonly stored: StoredGuild | null }> {
    const stored = await this.find(managed);
    if (stored?.presence === 'present') return { isPresent: true, stored };
    if (stored?.presence === 'left') return { isPresent: false, stored };
    const shards = await reportedShards();
    const reports = shards.filter((shard) => isOfShard(managed.id, shard));
    if (reports.length === 0) return { isPresent: null, stored };
    // The shard may have been reported between the two reads. Its guilds are written first, so they are stored now.
    const reported = await this.find(managed);
    if (reported?.presence === 'present') return { isPresent: true, stored: reported };
    const isPresent = reported === null && (await this.#wasErasedSince(managed, reports));
    return { isPresent, stored: reported };
  }

  /** Returns true if a guild without a row was erased while the bot was in it, after the newest report of its shard. */
  async #wasErasedSince({ id }: GuildAccess, reports: readonly ReportedShard[]): Promise<boolean> {
    const erasure = await this.#options.store.readErasure(id);
    return erasure?.wasPresent === true && reports.every(({ at }) => at <= erasure.at);
  }

  find({ id }: GuildAccess): Promise<StoredGuild | null> {
    return this.#options.store.read(id);
  }

  /**
   * Merges a patch into the record: omitted fields stay, arrays are replaced entirely. A patch without an effect
   * succeeds without a new revision.
   * @returns the record after the change, and the change
   * @throws ProblemError revision-mismatch, with the current record, when the condition does not hold; change-log-full;
   * reserved-setting and invalid-request for declared settings
   * @throws WritePermissionExpiredError when the permission expired before the write began
   * @throws GuildChangedError when the guild is not at the revision that the patch was computed from
   */
  update(permission: WritePermission, patch: FieldPatch, options: ChangeOptions): Promise<ChangedGuild> {
    return this.#write(permission, commandOf(permission, patch, this.#commonOf(options)));
  }

  /**
   * Enables or disables one feature, independent of concurrent changes of other features. Switching to the present
   * state succeeds without a new revision.
   * @throws the errors of {@link update}, and ProblemError too-many-features
   */
  switchFeature(permission: WritePermission, feature: FeatureSwitch, options: ChangeOptions): Promise<ChangedGuild> {
    return this.#write(permission, { feature, ...commandOf(permission, {}, this.#commonOf(options)) });
  }

  /**
   * Applies several changes as {@link update} does, in one transaction. A refused change, such as for a guild that the
   * bot is not in, does not affect the others.
   * @returns the outcomes, in the order of the patches
   */
  async updateAll(patches: readonly PermittedPatch[], options: ChangeOptions): Promise<readonly ChangeOutcome[]> {
    const reportedShards = await this.#options.store.reportedShards();
    const common = { reportedShards, ...this.#commonOf(options) };
    const outcomes = await this.#options.store.writeAll(
      patches.map(({ permission, patch }) => commandOf(permission, patch, common)),
    );
    return outcomes.map((outcome) =>
      'refusal' in outcome
        ? outcome
        : { changes: fieldChanges(outcome.result.changes[0], this.#options.records.settings) },
    );
  }

  /**
   * Returns the change that {@link update} would make now, without writing it.
   * @throws the errors of `update`
   */
  async preview(permission: WritePermission, patch: FieldPatch, options: ChangeOptions): Promise<Difference> {
    const { id: guildId } = permission.guild;
    const stored = await this.find(permission.guild);
    const now = { nowMs: this.#options.clock.nowMs(), monotonicMs: this.#options.clock.monotonicMs() };
    const target = { guildId, stored, wasPresent: () => false, records: this.#options.records, ...now };
    const write = updateSettings(commandOf(permission, patch, this.#commonOf(options)), target);
    const { settings } = this.#options.records;
    return { revision: stored?.revision ?? 0, changes: fieldChanges(write?.change, settings) };
  }

  /**
   * Erases a guild with its history; it has the defaults afterwards. Resolves when its changes are deleted.
   * @throws ProblemError revision-mismatch, with the current record, when the precondition fails
   * @throws WritePermissionExpiredError when the permission expired before the write began
   * @throws WriteUnconfirmedError when the guild was erased, but part of its history may remain until the next start
   */
  async erase(permission: WritePermission<OwnedGuild>, precondition: Precondition): Promise<void> {
    const { id, profile } = permission.guild;
    await this.#options.store.write({
      kind: 'erase-guild',
      guildIds: [id],
      precondition,
      ...(profile && { profile }),
      permittedUntilMs: permission.mayWriteUntilMs,
    });
    await this.#options.store.finishErasures('guild').catch((cause: unknown) => {
      throw new WriteUnconfirmedError('The erasure is committed but not finished', { cause });
    });
  }

  async #write({ guild }: WritePermission, command: UpdateSettings): Promise<ChangedGuild> {
    const { guilds, changes } = await this.#options.store.write(command);
    return { change: changes[0], ...this.#options.records.at(guild, guilds[0] ?? null) };
  }

  #commonOf({ precondition, computedAt, mayReserved, settingsAt, ...change }: ChangeOptions): CommonCommand {
    return {
      kind: 'update-settings',
      change,
      ...(mayReserved && { mayReserved }),
      ...(settingsAt && { settingsAt }),
      ...(precondition && { precondition }),
      ...(computedAt !== undefined && { computedAt }),
      changeLogBytesPerDay: this.#options.changeLogBytesPerDay,
    };
  }
}

type CommonCommand = Omit<UpdateSettings, 'guildIds' | 'patch' | 'profile' | 'permittedUntilMs'>;

function commandOf(
  { guild: { id, profile, subjects }, mayWriteUntilMs }: WritePermission,
  patch: FieldPatch,
  common: CommonCommand,
): UpdateSettings {
  return {
    guildIds: [id],
    patch,
    permittedUntilMs: mayWriteUntilMs,
    ...(profile && { profile }),
    ...(subjects && { subjects }),
    ...common,
  };
}
