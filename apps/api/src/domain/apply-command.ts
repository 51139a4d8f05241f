import {
  stored as asStored,
  type EffectiveSettings,
  type FieldPatch,
  type GuildId,
  isOfShard,
  isSameValue,
  LIMITS,
  ProblemError,
  type SetValues,
  type Shard,
} from '@guild-settings/contract';
import { covers } from '../auth/granted-access.ts';
import type { Clock } from '../clock.ts';
import type {
  ApplyCommand,
  Change,
  GuildErasure,
  GuildState,
  GuildWrite,
  LoggedBytes,
  Presence,
  UnsetFields,
} from '../store/guild-store.ts';
import {
  type Command,
  type CommandTarget,
  type EraseGuild,
  type FeatureSwitch,
  type ReportPresence,
  type SetAccess,
  type UpdateSettings,
  WritePermissionExpiredError,
} from './command.ts';
import {
  DEFAULT_STATE,
  isSameAccess,
  type Records,
  requireAccessTag,
  requirePrecondition,
  stateWithoutRow,
} from './record.ts';
import { requireAllowed } from './setting-rules.ts';

const DAY_MS = 86_400_000;

/** Bytes of a change in the log besides its JSON: ids, times, and index entries. */
const LINE_BYTES = 256;

/**
 * Shares of the daily bytes from which on changes are refused: first those of editors, last those by which managers
 * protect a guild. Managers can therefore always remove people from the access list and revert their changes.
 */
const SHARES = { editors: 1 / 2, managers: 3 / 4, protection: 1 };

export function commandInterpreter(clock: Clock, records: Records): ApplyCommand<Command> {
  // Assigns each field, because V8 is much slower with a spread followed by more fields.
  return (command, { guildId, stored, wasPresent }) =>
    applyCommand(command, {
      guildId,
      stored,
      wasPresent,
      nowMs: clock.nowMs(),
      monotonicMs: clock.monotonicMs(),
      records,
    });
}

/** Returns true if {@link applyCommand} refused a command with this error, rather than the store having failed. */
export function isRefusal(error: unknown): boolean {
  return (
    error instanceof ProblemError || error instanceof WritePermissionExpiredError || error instanceof GuildChangedError
  );
}

export class GuildChangedError extends Error {
  override readonly name = 'GuildChangedError';
}

/**
 * Returns what a command writes to one of its guilds; null: nothing. A pure function of its arguments.
 * @throws ProblemError revision-mismatch, with the stored record; change-log-full; too-many-features; bot-absent;
 * reserved-setting; invalid-request for a value beyond the limits of its declared setting
 * @throws WritePermissionExpiredError when the caller's permission no longer covers the write
 * @throws GuildChangedError when the guild has changed since the command was computed
 */
export function applyCommand(command: Command, target: CommandTarget): GuildWrite | GuildErasure | null {
  switch (command.kind) {
    case 'update-settings':
      return updateSettings(command, target);
    case 'set-access':
      return setAccess(command, target);
    case 'report-presence':
      return reportPresence(command, target);
    case 'erase-guild':
      return eraseGuild(command, target);
  }
}

function eraseGuild({ precondition, profile, permittedUntilMs }: EraseGuild, target: CommandTarget): GuildErasure {
  if (target.monotonicMs >= permittedUntilMs) throw new WritePermissionExpiredError();
  requirePrecondition(precondition, { id: target.guildId, stored: target.stored, profile, records: target.records });
  return { erasedAt: target.nowMs };
}

export function updateSettings(command: UpdateSettings, target: CommandTarget): GuildWrite | null {
  const { guildId, stored, wasPresent, nowMs, monotonicMs, records } = target;
  if (monotonicMs >= command.permittedUntilMs) throw new WritePermissionExpiredError();
  const { precondition, computedAt, reportedShards, subjects } = command;
  // The access list may have changed since the permission was checked.
  if (subjects && !covers(stored?.access ?? null, subjects, 'edit')) throw new WritePermissionExpiredError();
  const state = stored ?? stateWithoutRow(wasPresent());
  if (reportedShards && isBotAbsent(guildId, state.presence, reportedShards)) {
    throw new ProblemError('bot-absent');
  }
  if (precondition) requirePrecondition(precondition, { id: guildId, stored, profile: command.profile, records });
  if (computedAt !== undefined && computedAt !== (stored?.revision ?? 0)) throw new GuildChangedError();
  const { settings: set } = state;
  const wanted = command.feature ? switched(records.effective(set), command.feature) : command.patch;
  const difference = differenceOf(set, wanted, { records, isComputed: computedAt !== undefined });
  if (difference === undefined) return null;
  if (records.settings.custom !== undefined)
    requireAllowed(difference.after, command, { guildId, settings: records.settings });
  // Assigns each field: a spread followed by more fields would cost V8 more than the rest of this function.
  const change: Change = {
    at: nowMs,
    before: difference.before,
    after: difference.after,
    unset: difference.unset,
    ...command.change,
  };
  const logged = chargeChangeLog(state.logged, change, command.changeLogBytesPerDay * shareOf(command));
  return { next: { ...state, settings: difference.set, logged }, change };
}

/** The difference that a patch makes: the values in effect before and after, and the set values after it. */
interface SettingsDifference extends Pick<Change, 'before' | 'after'> {
  readonly set: SetValues;
  readonly unset: UnsetFields | null;
}

/**
 * The declared settings, and whether a patch is computed from the log: then it restores set values, including those
 * equal to the default.
 */
interface DifferenceOptions {
  readonly records: Records;
  readonly isComputed: boolean;
}

/** Returns what a patch changes; undefined: nothing. Stored fields that are not declared stay. */
function differenceOf(
  set: SetValues,
  patch: FieldPatch,
  { records: { settings }, isComputed }: DifferenceOptions,
): SettingsDifference | undefined {
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  const next: Record<string, unknown> = { ...set };
  const unset = { before: [] as string[], after: [] as string[] };
  let isChanged = false;
  for (const name of Object.keys(patch)) {
    const setting = settings.byField.get(name);
    if (setting === undefined) continue;
    const wanted = patch[name] ?? null;
    const { field } = setting;
    const value = wanted === null ? setting.default : asStored(setting, wanted);
    const now = settings.valueOf(set, setting);
    const isSet = set[field] !== undefined;
    const isOther = wanted === null ? isSet : isComputed && !isSet;
    // Without a declaration, defaults never change, so a value equal to the default is the same as no value.
    if (isSameValue(value, now, setting) && !(isOther && settings.tag !== undefined)) continue;
    isChanged = true;
    before[field] = now;
    after[field] = value;
    if (!isSet) unset.before.push(field);
    if (wanted === null) {
      unset.after.push(field);
      delete next[field];
    } else next[field] = value;
  }
  if (!isChanged) return undefined;
  return { before, after, set: next, unset: unset.before.length + unset.after.length > 0 ? unset : null };
}

/**
 * Returns what a replacement of the access list writes; null: the guild already has this list.
 * @throws ProblemError revision-mismatch, change-log-full
 * @throws WritePermissionExpiredError when the caller's permission no longer covers the write
 * @throws GuildChangedError when the list is not the one that the command was computed from
 */
function setAccess(command: SetAccess, target: CommandTarget): GuildWrite | null {
  const { stored, wasPresent, nowMs, monotonicMs, records } = target;
  if (monotonicMs >= command.permittedUntilMs) throw new WritePermissionExpiredError();
  requireAccessTag(command.precondition, stored);
  if (command.recordPrecondition)
    requirePrecondition(command.recordPrecondition, { id: target.guildId, stored, records });
  const state = stored ?? stateWithoutRow(wasPresent());
  const before = state.access ?? [];
  const { entries, computedAt, changeLogBytesPerDay } = command;
  if (computedAt !== undefined && computedAt !== (stored?.accessRevision ?? 0)) throw new GuildChangedError();
  if (isSameAccess(before, entries)) return null;
  const change: Change = { at: nowMs, before: { access: before }, after: { access: entries }, ...command.change };
  const logged = chargeChangeLog(state.logged, change, changeLogBytesPerDay * SHARES.protection);
  return { next: { ...state, access: entries, logged }, change, isOfAccess: true };
}

function reportPresence(command: ReportPresence, { guildId, stored }: CommandTarget): GuildWrite | null {
  const state = stored ?? DEFAULT_STATE;
  const next = presenceAfter(command, guildId, state);
  const changed = (['name', 'icon', 'presence'] as const).filter((name) => state[name] !== next[name]);
  if (changed.length === 0) return null;
  return { next, change: { before: pick(state, changed), after: pick(next, changed), ...command.change } };
}

function presenceAfter({ present, change, leftNotBefore }: ReportPresence, id: GuildId, state: GuildState): GuildState {
  if (Object.hasOwn(present, id)) return { ...state, ...present[id], presence: 'present', leftAt: null };
  // The settings stay for a while: the bot may be invited back.
  return state.presence === 'left' ? state : { ...state, presence: 'left', leftAt: Math.max(change.at, leftNotBefore) };
}

function isBotAbsent(id: GuildId, presence: Presence, reportedShards: readonly Shard[]): boolean {
  if (presence !== 'unknown') return presence === 'left';
  return reportedShards.some((shard) => isOfShard(id, shard));
}

function switched({ enabledFeatures }: EffectiveSettings, { name, isEnabled }: FeatureSwitch): FieldPatch {
  if (enabledFeatures.includes(name) === isEnabled) return {};
  if (!isEnabled) return { enabledFeatures: enabledFeatures.filter((enabled) => enabled !== name) };
  if (enabledFeatures.length >= LIMITS.features) throw new ProblemError('too-many-features');
  return { enabledFeatures: [...enabledFeatures, name] };
}

function pick<T extends object>(values: T, names: readonly (keyof T)[]): Partial<T> {
  const picked: Partial<T> = {};
  for (const name of names) picked[name] = values[name];
  return picked;
}

function shareOf({ subjects, change }: UpdateSettings): number {
  if (subjects !== undefined) return SHARES.editors;
  return change.origin === 'undo' || change.origin === 'restore' ? SHARES.protection : SHARES.managers;
}

/**
 * Adds a change to the bytes that settings changes of its guild have logged on the change's UTC day.
 * @param maxBytes the bytes that all of them may have logged after it; 0: no limit
 * @throws ProblemError change-log-full when the change exceeds them
 */
function chargeChangeLog(logged: LoggedBytes, change: Change, maxBytes: number): LoggedBytes {
  if (maxBytes === 0) return logged;
  const today = Math.floor(change.at / DAY_MS);
  // Clocks of two processes differ slightly at midnight: a day that one has begun continues at the other.
  const isToday = logged.day === today || logged.day === today + 1;
  const day = isToday ? logged.day : today;
  const bytes = (isToday ? logged.bytes : 0) + bytesOf(change);
  if (bytes > maxBytes) {
    const retryAfter = Math.max(1, Math.ceil(((day + 1) * DAY_MS - change.at) / 1_000));
    throw new ProblemError('change-log-full', { retryAfter });
  }
  return { day, bytes };
}

function bytesOf({ before, after, reason }: Change): number {
  return LINE_BYTES + Buffer.byteLength(JSON.stringify(before) + JSON.stringify(after) + (reason ?? ''));
}
