import { type AccessEntry, ProblemError } from '@guild-settings/contract';
import { WritePermissionExpiredError } from '../auth/write-permission.ts';
import type { Change, GuildWrite, StoredGuild } from '../store/store.ts';
import { chargeChangeLog } from './change-log-budget.ts';
import type { SetAccess } from './command.ts';
import type { CommandTarget } from './command-target.ts';
import { stateWithoutRow } from './default-state.ts';
import { GuildChangedError } from './guild-changed-error.ts';
import { evaluatePrecondition, type Precondition } from './precondition.ts';

/** Returns the entity tag of the access list of a guild: the revision of its last change. */
export function accessTagOf(stored: StoredGuild | null): string {
  return String(stored?.accessRevision ?? 0);
}

/** @throws ProblemError revision-mismatch when the precondition of a write does not hold for the access list */
export function requireAccessTag(precondition: Precondition | undefined, stored: StoredGuild | null): void {
  if (precondition === undefined || evaluatePrecondition(precondition, accessTagOf(stored)) === 'proceed') return;
  throw new ProblemError('revision-mismatch', {
    detail: 'The access list was changed since. Read it, apply the change to it, and send it again with its ETag.',
  });
}

/** Returns whether two access lists have the same entries, in any order. */
export function isSameAccess(one: readonly AccessEntry[], other: readonly AccessEntry[]): boolean {
  const levels = new Map(other.map(({ subject, level }) => [subject, level]));
  return one.length === other.length && one.every(({ subject, level }) => levels.get(subject) === level);
}

/**
 * Returns what a replacement of the access list writes; null: the guild has this list.
 * @throws ProblemError revision-mismatch, change-log-full
 * @throws WritePermissionExpiredError when the caller's permission no longer covers the write
 * @throws GuildChangedError when the list is not the one that the command was computed from
 */
export function setAccess(command: SetAccess, target: CommandTarget): GuildWrite | null {
  const { stored, wasPresent, nowMs, monotonicMs } = target;
  if (monotonicMs >= command.permittedUntilMs) throw new WritePermissionExpiredError();
  requireAccessTag(command.precondition, stored);
  const state = stored ?? stateWithoutRow(wasPresent());
  const before = state.access ?? [];
  const { entries, replaces, changeLogBytesPerDay } = command;
  if (replaces !== undefined && !isSameAccess(before, replaces)) throw new GuildChangedError();
  if (isSameAccess(before, entries)) return null;
  const change: Change = { at: nowMs, before: { access: before }, after: { access: entries }, ...command.change };
  const logged = chargeChangeLog(state.logged, change, changeLogBytesPerDay);
  return { next: { ...state, access: entries, logged }, change, isOfAccess: true };
}
