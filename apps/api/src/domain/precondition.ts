import { type GuildId, type GuildProfile, ProblemError, revisionOf, tagOf } from '@guild-settings/contract';
import type { StoredGuild } from '../store/store.ts';
import type { Records } from './record.ts';

export interface EntityTag {
  readonly isWeak: boolean;
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
 * Evaluates a precondition at a revision, or at the entity tag of other content, in the order of RFC 9110: If-Match with the strong
 * comparison, then If-None-Match with the weak one. If-Match compares revisions: what was written is the same whatever the declaration
 * of the settings is. Every guild has a record, so `*` always matches.
 * @param declarationTag names the declaration that the record is made by; undefined: there is none
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2
 */
export function evaluatePrecondition(
  { ifMatch, ifNoneMatch }: Precondition,
  current: number | string,
  declarationTag?: string,
): Verdict {
  const content = tagOf(current, declarationTag);
  const names = (tag: EntityTag) => tag.value === content;
  const isCurrent = (tag: EntityTag) =>
    !tag.isWeak && (typeof current === 'number' ? revisionOf(tag.value) === current : names(tag));
  if (ifMatch !== undefined && ifMatch !== '*' && !ifMatch.some(isCurrent)) return 'failed';
  if (ifNoneMatch !== undefined && (ifNoneMatch === '*' || ifNoneMatch.some(names))) return 'not-modified';
  return 'proceed';
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
  const revision = stored?.revision ?? 0;
  if (precondition && evaluatePrecondition(precondition, revision, records.settings.tag) !== 'proceed') {
    const { tag: declarationTag } = records.settings;
    throw new ProblemError('revision-mismatch', {
      current: records.of(id, stored, profile),
      revision,
      declarationTag,
    });
  }
}
