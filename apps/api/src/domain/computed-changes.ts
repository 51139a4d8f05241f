import { type GuildId, type GuildPatch, ProblemError } from '@guild-settings/contract';
import type { ManagedGuild } from '../auth/managed-guild.ts';
import type { LoggedChange } from '../store/store.ts';
import { GuildChangedError } from './apply-command.ts';
import type { ChangeOptions } from './guild-service.ts';
import { requirePrecondition } from './precondition.ts';
import { stateAt } from './time-travel.ts';
import { planUndo } from './undo.ts';
import { erasedUpTo, type LogReader, type LogStore, walkLog } from './walk-log.ts';

/** Author, reason and condition of a change that is computed from the history. */
export type ComputedOptions = Omit<ChangeOptions, 'origin' | 'target' | 'computedAt'>;

/** A change that was computed from the history: a patch, and how it is recorded. */
export interface ComputedChange {
  readonly patch: GuildPatch;
  readonly options: ChangeOptions;
}

/** The revision that a change is computed from, how the change is recorded, and who reads the log for it. */
export interface Computation {
  readonly revision: number;
  readonly options: ComputedOptions;
  readonly reader: LogReader;
  /** Whether the change is not made, and its difference is the result. */
  readonly isPreview?: boolean;
}

/** Times that a change is computed because the guild has changed since. */
const MAX_COMPUTATIONS = 20;

/** Changes since a computation that are looked at: beyond them, all is computed anew. */
const MAX_CHANGES_SINCE = 64;

/** Returns the change of a guild that made a revision. @throws ProblemError revision-unknown */
export async function changeAt(store: LogStore, guildId: GuildId, revision: number): Promise<LoggedChange> {
  if (revision <= (await erasedUpTo(store, guildId))) throw new ProblemError('revision-unknown');
  const range = { guildId, after: revision - 1, before: revision + 1, order: 'oldest-first', limit: 1 } as const;
  const [line] = await store.readHistory(range);
  if (line === undefined) throw new ProblemError('revision-unknown');
  return line;
}

/**
 * Computes the change that puts the fields of a change back to their values before it.
 * @throws ProblemError revision-unknown, not-undoable, later-change; revision-mismatch instead of later-change when the
 *   precondition fails as well
 */
export async function undoOf(
  store: LogStore,
  managed: ManagedGuild,
  { revision, options, reader }: Computation,
  previous?: ComputedChange,
): Promise<ComputedChange> {
  const stored = await store.read(managed.id);
  const target = await changeAt(store, managed.id, revision);
  if (target.origin === 'platform') throw new ProblemError('not-undoable');
  if (stored === null) throw new ProblemError('revision-unknown');
  const { id } = managed;
  const { revision: computedAt } = stored;
  if (previous !== undefined && (await isUntouched(store, { id, previous, computedAt }, Object.keys(target.after)))) {
    return { ...previous, options: { ...previous.options, computedAt } };
  }
  const since = { guildId: id, after: revision, before: computedAt + 1, order: 'newest-first' } as const;
  const { patch, conflicts } = await planUndo(target, stored.settings, (visit) =>
    walkLog({ store, reader, ...since }, visit),
  );
  // Retention may have deleted the change since, and later ones that were not read yet.
  const { oldest } = await store.readLogBounds();
  if (revision < oldest && revision < stored.revision) throw new ProblemError('revision-unknown');
  if (conflicts.length > 0) {
    // A failed precondition is reported first: it says more about what the caller knows.
    requirePrecondition(options.precondition, { id: managed.id, stored, profile: managed.profile });
    throw new ProblemError('later-change', { conflicts });
  }
  return { patch, options: { ...options, origin: 'undo', target: revision, computedAt } };
}

interface Recomputation {
  readonly id: GuildId;
  readonly previous: ComputedChange;
  /** The revision of the guild now. */
  readonly computedAt: number;
}

/** Returns whether none of some fields was changed since a computation. */
async function isUntouched(
  store: LogStore,
  { id, previous, computedAt }: Recomputation,
  fields: readonly string[],
): Promise<boolean> {
  const range = { guildId: id, after: previous.options.computedAt ?? 0, before: computedAt + 1 };
  const lines = await store.readHistory({ ...range, order: 'oldest-first', limit: MAX_CHANGES_SINCE });
  const areAll = lines.length < MAX_CHANGES_SINCE;
  return areAll && lines.every(({ after }) => !fields.some((field) => Object.hasOwn(after, field)));
}

/** Computes the change that puts all settings back to how they were at a revision. @throws ProblemError revision-unknown */
export async function restoreOf(
  store: LogStore,
  { id }: ManagedGuild,
  { revision, options, reader }: Computation,
  previous?: ComputedChange,
): Promise<ComputedChange> {
  const stored = previous && (await store.read(id));
  // How they were does not change, unless it was erased.
  if (previous && stored && (await erasedUpTo(store, id)) <= revision) {
    return { ...previous, options: { ...previous.options, computedAt: stored.revision } };
  }
  const { state, computedAt } = await stateAt(store, id, revision, reader);
  return { patch: state.settings, options: { ...options, origin: 'restore', target: revision, computedAt } };
}

/**
 * Computes a change and uses it, again when the guild has changed between the two.
 * @param compute receives what it has returned before, of which it uses what still holds
 * @throws ProblemError store-unavailable when the guild changes too often
 */
export async function withComputed<T>(
  compute: (previous: ComputedChange | undefined) => Promise<ComputedChange>,
  use: (change: ComputedChange) => Promise<T>,
): Promise<T> {
  let change: ComputedChange | undefined;
  for (let computations = 1; ; computations += 1) {
    change = await compute(change);
    try {
      return await use(change);
    } catch (error) {
      if (!(error instanceof GuildChangedError)) throw error;
      if (computations === MAX_COMPUTATIONS) throw new ProblemError('store-unavailable', { retryAfter: 1 });
    }
  }
}
