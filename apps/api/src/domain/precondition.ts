import {
  type GuildId,
  type GuildProfile,
  ProblemError,
  tagOf,
  tagWithoutCoding,
  type Version,
  versionIn,
} from '@guild-settings/contract';
import type { StoredGuild } from '../store/guild-store.ts';
import { type Records, versionOf } from './record.ts';

export interface EntityTag {
  readonly value: string;
}

export type EntityTags = '*' | readonly EntityTag[];

export interface Precondition {
  readonly ifMatch?: EntityTags;
  readonly ifNoneMatch?: EntityTags;
}

/** Result of a precondition. `not-modified` is for reads; a conditional write fails instead. */
export type Verdict = 'proceed' | 'not-modified' | 'failed';

/**
 * Evaluates a precondition at a state, in the order of RFC 9110: If-Match, then If-None-Match. If-Match compares revision and epoch: what
 * was written is the same whatever the declaration of the settings is, and however a proxy has compressed it. A tag of 1.0.0 names no
 * epoch. Every guild has a record, so `*` always matches.
 * @param declarationTag names the declaration that the record is made by; undefined: there is none
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2
 */
export function evaluatePrecondition(
  { ifMatch, ifNoneMatch }: Precondition,
  current: Version,
  declarationTag?: string,
): Verdict {
  const content = tagOf(current, declarationTag);
  const names = ({ value }: EntityTag) => tagWithoutCoding(value) === content;
  const isCurrent = ({ value }: EntityTag) => isSameVersion(versionIn(value), current);
  if (ifMatch !== undefined && ifMatch !== '*' && !ifMatch.some(isCurrent)) return 'failed';
  if (ifNoneMatch !== undefined && (ifNoneMatch === '*' || ifNoneMatch.some(names))) return 'not-modified';
  return 'proceed';
}

/** Returns whether an entity tag names a state. */
function isSameVersion(named: ReturnType<typeof versionIn>, { revision, epoch }: Version): boolean {
  if (named?.revision !== revision) return false;
  return named.epoch === undefined || (revision > 0 && named.epoch === epoch);
}

export interface ConditionTarget {
  readonly id: GuildId;
  readonly stored: StoredGuild | null;
  /** Name and icon for the record where no bot has reported them. */
  readonly profile?: GuildProfile | undefined;
  readonly records: Records;
}

/** @throws ProblemError revision-mismatch, with the record, when the precondition of a write does not hold */
export function requirePrecondition(
  precondition: Precondition | undefined,
  { id, stored, profile, records }: ConditionTarget,
): void {
  const version = versionOf(stored);
  const { tag } = records.settings;
  if (precondition && evaluatePrecondition(precondition, version, tag) !== 'proceed') {
    throw new ProblemError('revision-mismatch', {
      current: records.of(id, stored, profile),
      tag: tagOf(version, tag),
    });
  }
}
