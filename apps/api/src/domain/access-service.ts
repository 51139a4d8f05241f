import { type AccessEntry, type Difference, ProblemError } from '@guild-settings/contract';
import type { GuildAccess } from '../auth/guild-access.ts';
import type { WritePermission } from '../auth/write-permission.ts';
import type { LoggedChange, Store, StoredGuild } from '../store/store.ts';
import { isSameAccess } from './access-list.ts';
import type { Command, SetAccess } from './command.ts';
import { type Computation, changeAt } from './computed-changes.ts';
import { GuildChangedError } from './guild-changed-error.ts';
import type { ChangeOptions } from './guild-service.ts';
import { entryOf } from './history-entry.ts';
import { requirePrecondition } from './precondition.ts';
import type { GuildAtRevision, Records } from './record.ts';

/** Times that an undo is computed because the list has changed since. */
const MAX_COMPUTATIONS = 20;

/** Author, reason and condition of a change of an access list. */
export type AccessOptions = Omit<ChangeOptions, 'mayReserved' | 'settingsAt' | 'computedAt'>;

interface AccessServiceOptions {
  readonly store: Store<Command>;
  readonly records: Records;
  /** Bytes that changes of one guild may log in one UTC day; 0: no limit. */
  readonly changeLogBytesPerDay: number;
}

/** Changes the access lists of guilds for their managers. */
export class AccessService {
  readonly #options: AccessServiceOptions;

  constructor(options: AccessServiceOptions) {
    this.#options = options;
  }

  /**
   * Replaces the access list of a guild. The same entries in another order are a success without a change.
   * @param replaces the list that this one was computed from
   * @returns what is stored about the guild afterwards; null: nothing is
   * @throws ProblemError revision-mismatch, change-log-full
   * @throws WritePermissionExpiredError when the permission expired before the write began
   */
  async set(
    { guild: { id }, mayWriteUntilMs }: WritePermission<GuildAccess<'manage'>>,
    entries: readonly AccessEntry[],
    { precondition, ...change }: AccessOptions,
    replaces?: readonly AccessEntry[],
  ): Promise<StoredGuild | null> {
    const { store, changeLogBytesPerDay } = this.#options;
    const command: SetAccess = {
      kind: 'set-access',
      guildIds: [id],
      entries,
      ...(replaces && { replaces }),
      change,
      ...(precondition && { precondition }),
      permittedUntilMs: mayWriteUntilMs,
      changeLogBytesPerDay,
    };
    const { guilds } = await store.write(command);
    return guilds[0] ?? null;
  }

  /**
   * Puts an access list back to how it was before a change of it, unless a later change has replaced it.
   * @returns the record, which stays as it is; of a preview, the difference
   * @throws ProblemError revision-unknown, later-change, revision-mismatch for the record, and what {@link set} throws
   */
  async undo(
    permission: WritePermission<GuildAccess<'manage'>>,
    { revision, options: { precondition, ...options }, isPreview }: Computation,
  ): Promise<GuildAtRevision | Difference> {
    const { store, records } = this.#options;
    const { guild } = permission;
    const { id, profile } = guild;
    const target = await changeAt(store, id, revision);
    const [from, to] = [listIn(target.after), listIn(target.before)];
    for (let computations = 1; computations <= MAX_COMPUTATIONS; computations += 1) {
      const stored = await store.read(id);
      requirePrecondition(precondition, { id, stored, profile, records });
      const now = stored?.access ?? [];
      const record = records.at(guild, stored);
      const isBack = isSameAccess(now, to);
      if (!isBack && !isSameAccess(now, from)) throw await this.#laterChange(target, stored);
      if (isPreview) return { revision: record.revision, changes: isBack ? {} : { access: { from: now, to } } };
      try {
        if (!isBack)
          await this.set(
            permission,
            to,
            { ...options, origin: 'undo', target: revision, precondition: undefined },
            now,
          );
        return record;
      } catch (error) {
        if (!(error instanceof GuildChangedError)) throw error;
      }
    }
    throw new ProblemError('store-unavailable', { retryAfter: 1 });
  }

  async #laterChange({ after }: LoggedChange, stored: StoredGuild | null): Promise<ProblemError> {
    if (stored === null) return new ProblemError('revision-unknown');
    const { revision, at, actor } = entryOf(await changeAt(this.#options.store, stored.id, stored.accessRevision));
    const conflict = { field: 'access', from: after.access, to: stored.access, revision, at, actor };
    return new ProblemError('later-change', { conflicts: [conflict] });
  }
}

/** Returns the access list among the values of a change. */
function listIn({ access }: LoggedChange['after']): readonly AccessEntry[] {
  return (access ?? []) as readonly AccessEntry[];
}
