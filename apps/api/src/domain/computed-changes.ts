import { type GuildId, type GuildPatch, ProblemError } from '@guild-settings/contract';
import type { ManagedGuild } from '../auth/managed-guild.ts';
import type { LoggedChange } from '../store/store.ts';
import { GuildChangedError } from './apply-command.ts';
import type { ChangeOptions } from './guild-service.ts';
import { erasedUpTo, type LogStore, logLines } from './log-lines.ts';
import { requirePrecondition } from './precondition.ts';
import { stateAt } from './time-travel.ts';
import { planUndo } from './undo.ts';

/** Author, reason and condition of a change that is computed from the history. */
export type ComputedOptions = Omit<ChangeOptions, 'origin' | 'target' | 'computedAt'>;

/** A change that was computed from the history: a patch, and how it is recorded. */
export interface ComputedChange {
  readonly patch: GuildPatch;
  readonly options: ChangeOptions;
}

/** The revision that a change is computed from, and how the change is recorded. */
interface Computation {
  readonly revision: number;
  readonly options: ComputedOptions;
}

/** Times that a change is computed again because the guild has changed since. */
const MAX_COMPUTATIONS = 20;

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
  { revision, options }: Computation,
): Promise<ComputedChange> {
  const stored = await store.read(managed.id);
  const target = await changeAt(store, managed.id, revision);
  if (target.origin === 'platform') throw new ProblemError('not-undoable');
  if (stored === null) throw new ProblemError('revision-unknown');
  const since = { guildId: managed.id, after: revision, before: stored.revision + 1, order: 'newest-first' } as const;
  const { patch, conflicts } = await planUndo(target, stored.settings, logLines(store, since));
  // Retention may have deleted the change since, and later ones that were not read yet.
  const { oldest } = await store.readLogBounds();
  if (revision < oldest && revision < stored.revision) throw new ProblemError('revision-unknown');
  if (conflicts.length > 0) {
    // A failed precondition is reported first: it says more about what the caller knows.
    requirePrecondition(options.precondition, { id: managed.id, stored, profile: managed.profile });
    throw new ProblemError('later-change', { conflicts });
  }
  return { patch, options: { ...options, origin: 'undo', target: revision, computedAt: stored.revision } };
}

/** Computes the change that puts all settings back to how they were at a revision. @throws ProblemError revision-unknown */
export async function restoreOf(
  store: LogStore,
  { id }: ManagedGuild,
  { revision, options }: Computation,
): Promise<ComputedChange> {
  const { state, computedAt } = await stateAt(store, id, revision);
  return { patch: state.settings, options: { ...options, origin: 'restore', target: revision, computedAt } };
}

/**
 * Computes a change and uses it, again when the guild has changed between the two.
 * @throws ProblemError store-unavailable when the guild changes too often
 */
export async function withComputed<T>(
  compute: () => Promise<ComputedChange>,
  use: (change: ComputedChange) => Promise<T>,
): Promise<T> {
  for (let computations = 1; ; computations += 1) {
    try {
      return await use(await compute());
    } catch (error) {
      if (!(error instanceof GuildChangedError)) throw error;
      if (computations === MAX_COMPUTATIONS) throw new ProblemError('store-unavailable', { retryAfter: 1 });
    }
  }
}
