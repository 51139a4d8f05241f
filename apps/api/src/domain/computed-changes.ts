import {
  type Conflict,
  type DeclaredSettings,
  type FieldPatch,
  flawsOf,
  type GuildId,
  inEffect,
  isSameValue,
  ProblemError,
  type SettingValue,
  type SetValues,
  type SkippedField,
} from '@guild-settings/contract';
import type { GuildAccess } from '../auth/guild-access.ts';
import type { LoggedChange } from '../store/guild-store.ts';
import { GuildChangedError } from './apply-command.ts';
import { type ChangeLog, entryOf, type LogReader, shownField, stateAt } from './change-log.ts';
import type { ChangeOptions } from './guild-service.ts';
import { type Records, requirePrecondition } from './record.ts';
import { isReserved, skippedSetting, skippedUnknown } from './setting-rules.ts';

type ComputedOptions = Omit<ChangeOptions, 'origin' | 'target' | 'computedAt'>;

interface ComputedChange {
  readonly patch: FieldPatch;
  /** The settings that a restore leaves unchanged; absent: none. */
  readonly skipped?: readonly SkippedField[];
  readonly options: ChangeOptions;
}

/** The revision from which a change is computed, how it is recorded, and the reader of the log. */
export interface Computation {
  readonly revision: number;
  readonly options: ComputedOptions;
  readonly reader: LogReader;
  readonly isPreview?: boolean;
}

interface ComputationParts {
  readonly log: ChangeLog;
  readonly records: Records;
}

/** Maximum number of computations of a change whose guild keeps changing meanwhile. */
const MAX_COMPUTATIONS = 20;

/** Changes since a computation that are examined; if there are more, everything is computed again. */
const MAX_CHANGES_SINCE = 64;

export async function changeAt(log: ChangeLog, guildId: GuildId, revision: number): Promise<LoggedChange> {
  if (revision <= (await log.erasedUpTo(guildId))) throw new ProblemError('revision-unknown');
  const range = { guildId, after: revision - 1, before: revision + 1, order: 'oldest-first', limit: 1 } as const;
  const [line] = await log.lines(range);
  if (line === undefined) throw new ProblemError('revision-unknown');
  return line;
}

/**
 * Computes the change that restores the fields of a change to their values before it.
 * @throws ProblemError revision-unknown, not-undoable, later-change; revision-mismatch instead of later-change when the
 * precondition fails as well
 */
export async function undoOf(
  { log, records }: ComputationParts,
  managed: GuildAccess,
  { revision, options, reader }: Computation,
  previous?: ComputedChange,
): Promise<ComputedChange> {
  const stored = await log.store.read(managed.id);
  const target = await changeAt(log, managed.id, revision);
  if (target.origin === 'platform') throw new ProblemError('not-undoable');
  if (stored === null) throw new ProblemError('revision-unknown');
  const { id } = managed;
  const { revision: computedAt } = stored;
  if (previous !== undefined && (await isUntouched(log, { id, previous, computedAt }, Object.keys(target.after)))) {
    return { ...previous, options: { ...previous.options, computedAt } };
  }
  const since = { guildId: id, after: revision, before: computedAt + 1, order: 'newest-first' } as const;
  const { patch, conflicts } = await planUndo(target, { set: stored.settings, records }, (visit) =>
    log.walk({ reader, ...since }, visit),
  );
  // Retention may meanwhile have deleted the change, and later ones that were not read yet.
  const { oldest } = await log.store.readLogBounds();
  if (revision < oldest && revision < stored.revision) throw new ProblemError('revision-unknown');
  if (conflicts.length > 0) {
    // A failed precondition takes precedence: it tells the caller more.
    requirePrecondition(options.precondition, { id: managed.id, stored, profile: managed.profile, records });
    throw new ProblemError('later-change', { conflicts });
  }
  return { patch, options: { ...options, origin: 'undo', target: revision, computedAt } };
}

interface Recomputation {
  readonly id: GuildId;
  readonly previous: ComputedChange;
  readonly computedAt: number;
}

async function isUntouched(
  log: ChangeLog,
  { id, previous, computedAt }: Recomputation,
  fields: readonly string[],
): Promise<boolean> {
  const range = { guildId: id, after: previous.options.computedAt ?? 0, before: computedAt + 1 };
  const lines = await log.lines({ ...range, order: 'oldest-first', limit: MAX_CHANGES_SINCE });
  const areAll = lines.length < MAX_CHANGES_SINCE;
  return areAll && lines.every(({ after }) => !fields.some((field) => Object.hasOwn(after, field)));
}

/**
 * Computes the change that restores all settings to their state at a revision. @throws ProblemError revision-unknown
 */
export async function restoreOf(
  { log, records }: ComputationParts,
  { id }: GuildAccess,
  { revision, options, reader }: Computation,
  previous?: ComputedChange,
): Promise<ComputedChange> {
  const stored = previous && (await log.store.read(id));
  // A past state is immutable unless the guild was erased.
  if (previous && stored && (await log.erasedUpTo(id)) <= revision) {
    return { ...previous, options: { ...previous.options, computedAt: stored.revision } };
  }
  const { state, computedAt } = await stateAt(log, id, revision, reader);
  const { patch, skipped } = restorable(state.settings, records, options.mayReserved ?? false);
  return {
    patch,
    ...(skipped.length > 0 && { skipped }),
    options: { ...options, origin: 'restore', target: revision, computedAt },
  };
}

/**
 * Returns the past settings that can be restored, and those that are skipped: undeclared, reserved, or no longer valid.
 */
function restorable(past: SetValues, { settings }: Records, mayReserved: boolean) {
  const patch: Record<string, SettingValue | null> = {};
  const skipped: SkippedField[] = [];
  for (const setting of settings.all) {
    const value = past[setting.field];
    const isCustom = setting.place === 'custom';
    if (isCustom && isReserved(setting) && !mayReserved) {
      if (value !== undefined) skipped.push(skippedSetting('reserved', setting, value));
    } else if (value === undefined) patch[setting.field] = null;
    else {
      const served = inEffect(setting, value);
      if (served === undefined || (isCustom && flawsOf(setting, served).length > 0)) {
        skipped.push(skippedSetting('invalid', setting, served ?? value));
      } else patch[setting.field] = served;
    }
  }
  for (const [field, value] of Object.entries(past)) {
    if (!settings.byField.has(field)) skipped.push(skippedUnknown(field, value));
  }
  return { patch, skipped };
}

/**
 * Computes a change and uses it; repeats both if the guild has changed in between.
 * @param compute receives its previous result, to reuse what is still valid
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

interface UndoPlan {
  readonly patch: FieldPatch;
  /** The fields that a later change has set, which the undo must not overwrite. */
  readonly conflicts: readonly Conflict[];
}

/** A field whose value is traced back to the change that set it. */
interface Trace {
  readonly now: unknown;
  /**
   * True: the field already has the value before the change to undo, and differs only in whether it is set. Nothing is
   * overwritten.
   */
  readonly isSame: boolean;
  newest?: LoggedChange;
  /** The value comes from a change up to this revision: later ones were undone. */
  upTo: number;
}

/**
 * Plans the undo of a change of settings. The value of a field is traced back from the newest change: an undo reassigns
 * the field to the change that had set it before the undone one.
 * @param set the values that are set now
 * @param walkLater visits all changes of the guild after it, the newest first, until a visit returns true
 */
async function planUndo(
  target: LoggedChange,
  { set, records }: { readonly set: SetValues; readonly records: Records },
  walkLater: WalkLater,
): Promise<UndoPlan> {
  const { settings } = records;
  const traces = new Map<string, Trace>();
  for (const field of Object.keys(target.after)) {
    const setting = settings.byField.get(field);
    // A former name may have been a separate setting.
    if (setting?.field !== field) continue;
    const now = settings.valueOf(set, setting);
    const isSame = isSameValue(now, target.before[field], setting);
    const isSet = set[field] !== undefined;
    // The default may have been different at the time of the change.
    const isBack = isSet === (setBefore(target, field) !== null) && (isSame || !isSet);
    if (!isBack) traces.set(field, { now, isSame, upTo: Number.POSITIVE_INFINITY });
  }
  const conflicts = await conflictsOf(target, traces, walkLater, settings);
  const patch = Object.fromEntries([...traces.keys()].map((field) => [field, setBefore(target, field)]));
  return { patch, conflicts };
}

/** Visits all changes of a guild after a given one, newest first, until a visit returns true. */
type WalkLater = (visit: (lines: readonly LoggedChange[]) => boolean) => Promise<void>;

/** Returns the fields whose values come from a change later than the one to undo, and removes them from the traces. */
export async function conflictsOf(
  target: LoggedChange,
  traces: Map<string, Trace>,
  walkLater: WalkLater,
  settings: DeclaredSettings,
): Promise<Conflict[]> {
  const conflicts: Conflict[] = [];
  const isTraced = () => traces.size === 0;
  if (isTraced()) return conflicts;
  await walkLater((lines) => {
    for (const change of lines) {
      for (const [field, trace] of traces) {
        if (!Object.hasOwn(change.after, field)) continue;
        trace.newest ??= change;
        if (change.revision > trace.upTo) continue;
        const undone = change.origin === 'undo' ? (change.target ?? 0) : 0;
        if (undone > target.revision) {
          trace.upTo = undone - 1;
          continue;
        }
        traces.delete(field);
        if (trace.isSame) continue;
        const { revision, at, actor } = entryOf(trace.newest, settings);
        conflicts.push({
          field: shownField(field, settings),
          from: target.after[field],
          to: trace.now,
          revision,
          at,
          actor,
        });
      }
    }
    return isTraced();
  });
  return conflicts;
}

function setBefore({ before, unset }: LoggedChange, field: string): SettingValue | null {
  return unset?.before.includes(field) ? null : (before[field] as SettingValue);
}
