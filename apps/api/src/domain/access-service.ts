import { type AccessEntry, type Difference, ProblemError } from '@guild-settings/contract';
import type { GuildAccess } from '../auth/guild-access.ts';
import type { GuildStore, LoggedChange, StoredGuild } from '../store/guild-store.ts';
import { GuildChangedError } from './apply-command.ts';
import type { ChangeLog } from './change-log.ts';
import type { Command, SetAccess, WritePermission } from './command.ts';
import { type Computation, changeAt, conflictsOf } from './computed-changes.ts';
import type { ChangeOptions } from './guild-service.ts';
import { type GuildAtRevision, isSameAccess, type Records, requirePrecondition } from './record.ts';

const MAX_COMPUTATIONS = 20;

export type AccessOptions = Omit<ChangeOptions, 'mayReserved' | 'settingsAt' | 'computedAt'>;

interface AccessServiceOptions {
  readonly store: GuildStore<Command>;
  readonly log: ChangeLog;
  readonly records: Records;
  /** Bytes that changes of one guild may add to the log per UTC day; 0: no limit. */
  readonly changeLogBytesPerDay: number;
}

export class AccessService {
  readonly #options: AccessServiceOptions;

  constructor(options: AccessServiceOptions) {
    this.#options = options;
  }

  /**
   * Replaces the access list of a guild. The same entries in another order succeed without a change.
   * @param computed the record's precondition, and the revision of the list, with which the new list was computed
   * @returns the stored state of the guild afterwards; null: nothing is stored
   * @throws ProblemError revision-mismatch, change-log-full
   * @throws WritePermissionExpiredError when the permission expired before the write began
   * @throws GuildChangedError when the list is not at the revision that the new one was computed from
   */
  async set(
    { guild: { id }, mayWriteUntilMs }: WritePermission<GuildAccess<'manage'>>,
    entries: readonly AccessEntry[],
    { precondition, ...change }: AccessOptions,
    computed: Pick<SetAccess, 'computedAt' | 'recordPrecondition'> = {},
  ): Promise<StoredGuild | null> {
    const { store, changeLogBytesPerDay } = this.#options;
    const command: SetAccess = {
      kind: 'set-access',
      guildIds: [id],
      entries,
      ...computed,
      change,
      ...(precondition && { precondition }),
      permittedUntilMs: mayWriteUntilMs,
      changeLogBytesPerDay,
    };
    const { guilds } = await store.write(command);
    return guilds[0] ?? null;
  }

  /**
   * Restores an access list to its state before a change of it, unless a later change has replaced it.
   * @returns the unchanged record; for a preview, the difference
   * @throws ProblemError revision-unknown, later-change, revision-mismatch for the record, and the errors of
   * {@link set}
   */
  async undo(
    permission: WritePermission<GuildAccess<'manage'>>,
    computation: Computation,
  ): Promise<GuildAtRevision | Difference> {
    const { records } = this.#options;
    const { precondition, ...options } = computation.options;
    const { guild } = permission;
    for (let computations = 1; computations <= MAX_COMPUTATIONS; computations += 1) {
      const { stored, now, to } = await this.#planUndo(guild, computation);
      const record = records.at(guild, stored);
      if (computation.isPreview) {
        requirePrecondition(precondition, { id: guild.id, stored, profile: guild.profile, records });
        return { revision: record.revision, changes: to ? { access: { from: now, to } } : {} };
      }
      const undo = { ...options, origin: 'undo', target: computation.revision, precondition: undefined } as const;
      const computed = { computedAt: stored.accessRevision, ...(precondition && { recordPrecondition: precondition }) };
      try {
        return records.at(guild, await this.set(permission, to ?? now, undo, computed));
      } catch (error) {
        if (!(error instanceof GuildChangedError)) throw error;
      }
    }
    throw new ProblemError('store-unavailable', { retryAfter: 1 });
  }

  /** Returns the list now, and the one to restore; undefined: it is restored already. */
  async #planUndo({ id, profile }: GuildAccess, { revision, options, reader }: Computation): Promise<UndoneAccess> {
    const { store, log, records } = this.#options;
    const stored = await store.read(id);
    const target = await changeAt(log, id, revision);
    if (stored === null) throw new ProblemError('revision-unknown');
    const [now, to] = [stored.access ?? [], listIn(target.before)];
    if (isSameAccess(now, to)) return { stored, now };
    const later = { guildId: id, after: revision, before: stored.accessRevision + 1, order: 'newest-first' } as const;
    const traces = new Map([['access', { now, isSame: false, upTo: Number.POSITIVE_INFINITY }]]);
    const conflicts = await conflictsOf(
      target,
      traces,
      (visit) => log.walk({ reader, ...later }, visit),
      records.settings,
    );
    // Retention may meanwhile have deleted the change, and later ones that were not read yet.
    const { oldest } = await log.store.readLogBounds();
    if (revision < oldest && revision < stored.accessRevision) throw new ProblemError('revision-unknown');
    if (conflicts.length === 0) return { stored, now, to };
    // A failed precondition takes precedence: it tells the caller more.
    requirePrecondition(options.precondition, { id, stored, profile, records });
    throw new ProblemError('later-change', { conflicts });
  }
}

interface UndoneAccess {
  readonly stored: StoredGuild;
  readonly now: readonly AccessEntry[];
  readonly to?: readonly AccessEntry[];
}

function listIn({ access }: LoggedChange['after']): readonly AccessEntry[] {
  return (access ?? []) as readonly AccessEntry[];
}
