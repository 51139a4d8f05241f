import { type AccessEntry, ProblemError, tagOf, type Version } from '@guild-settings/contract';
import type { StoredGuild } from '../store/guild-store.ts';
import { evaluatePrecondition, type Precondition } from './precondition.ts';

/** Returns the state of the access list; null: nothing is stored. */
export function accessVersionOf(stored: StoredGuild | null): Version {
  return { revision: stored?.accessRevision ?? 0, epoch: stored?.epochs.access ?? '' };
}

/** @throws ProblemError revision-mismatch when the precondition of a write does not hold for the access list */
export function requireAccessTag(precondition: Precondition | undefined, stored: StoredGuild | null): void {
  const version = accessVersionOf(stored);
  if (precondition === undefined || evaluatePrecondition(precondition, version) === 'proceed') return;
  throw new ProblemError('revision-mismatch', {
    tag: tagOf(version),
    detail: 'The access list was changed since. Read it, apply the change to it, and send it again with its ETag.',
  });
}

export function isSameAccess(one: readonly AccessEntry[], other: readonly AccessEntry[]): boolean {
  const levels = new Map(other.map(({ subject, level }) => [subject, level]));
  return one.length === other.length && one.every(({ subject, level }) => levels.get(subject) === level);
}
