import {
  type AccessEntry,
  type DeclaredSettings,
  type EffectiveSettings,
  type Guild,
  type GuildId,
  type GuildProfile,
  ProblemError,
  type Setting,
  type SetValues,
  SPECIFIED_SETTINGS,
  tagOf,
  tagWithoutCoding,
  type Version,
  versionIn,
} from '@guild-settings/contract';
import type { GuildAccess } from '../auth/guild-access.ts';
import type { GuildState, StoredGuild } from '../store/guild-store.ts';

export interface GuildAtRevision extends Version {
  readonly guild: Guild;
}

/** Returns the version of the record; null: nothing is stored. */
export function versionOf(stored: StoredGuild | null): Version {
  return { revision: stored?.revision ?? 0, epoch: stored?.epochs.record ?? '' };
}

/** Builds the records of guilds from their set values and the defaults of the declaration. */
export class Records {
  readonly settings: DeclaredSettings;
  readonly #onUnfit: ((setting: Setting) => void) | undefined;

  /**
   * @param onUnfit called for a stored value that does not have the type of its setting; the default is served instead
   */
  constructor(settings: DeclaredSettings = SPECIFIED_SETTINGS, onUnfit?: (setting: Setting) => void) {
    this.settings = settings;
    this.#onUnfit = onUnfit;
  }

  effective(set: SetValues): EffectiveSettings {
    return this.settings.effective(set, this.#onUnfit);
  }

  at({ id, profile }: GuildAccess, stored: StoredGuild | null): GuildAtRevision {
    return { ...versionOf(stored), guild: this.of(id, stored, profile) };
  }

  /**
   * Returns the record of a guild, with its fields in the order of the specification.
   * @param profile name and icon if no bot has reported the guild
   */
  of(id: GuildId, stored: GuildState | null, profile: GuildProfile | undefined): Guild {
    const { name, icon, settings } = stored ?? DEFAULT_STATE;
    return {
      id,
      name: name ?? profile?.name ?? '',
      icon: name === null ? (profile?.icon ?? null) : icon,
      ...this.effective(settings),
    };
  }
}

export interface EntityTag {
  readonly value: string;
}

type EntityTags = '*' | readonly EntityTag[];

export interface Precondition {
  readonly ifMatch?: EntityTags;
  readonly ifNoneMatch?: EntityTags;
}

/** Result of a precondition. `not-modified` is for reads; a conditional write fails instead. */
type Verdict = 'proceed' | 'not-modified' | 'failed';

/**
 * Evaluates a precondition in the order of RFC 9110: If-Match, then If-None-Match. If-Match compares revision and epoch
 * only: the declaration and a proxy's compression do not affect what was written. Tags of 1.0.0 have no epoch. Every
 * guild has a record, so `*` always matches.
 * @param declarationTag tag of the declaration that the record follows; undefined: no declaration
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

function isSameVersion(named: ReturnType<typeof versionIn>, { revision, epoch }: Version): boolean {
  if (named?.revision !== revision) return false;
  return named.epoch === undefined || (revision > 0 && named.epoch === epoch);
}

interface ConditionTarget {
  readonly id: GuildId;
  readonly stored: StoredGuild | null;
  /** Name and icon for the record if no bot has reported them. */
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

/** Returns the version of the access list; null: nothing is stored. */
export function accessVersionOf(stored: StoredGuild | null): Version {
  return { revision: stored?.accessRevision ?? 0, epoch: stored?.epochs.access ?? '' };
}

/** @throws ProblemError revision-mismatch when the precondition of a write does not hold for the access list */
export function requireAccessTag(precondition: Precondition | undefined, stored: StoredGuild | null): void {
  const version = accessVersionOf(stored);
  if (precondition === undefined || evaluatePrecondition(precondition, version) === 'proceed') return;
  throw new ProblemError('revision-mismatch', {
    tag: tagOf(version),
    detail: 'The access list has changed. Read it again, apply your change to it, and send it with its ETag.',
  });
}

export function isSameAccess(one: readonly AccessEntry[], other: readonly AccessEntry[]): boolean {
  const levels = new Map(other.map(({ subject, level }) => [subject, level]));
  return one.length === other.length && one.every(({ subject, level }) => levels.get(subject) === level);
}

/** State of a guild without a row: nothing is set, presence unknown. */
export const DEFAULT_STATE: GuildState = Object.freeze({
  name: null,
  icon: null,
  settings: Object.freeze({}),
  access: null,
  presence: 'unknown',
  leftAt: null,
  logged: { day: 0, bytes: 0 },
});

/** State of a guild that was erased while the bot was in it. A later report of the bot that it has left is refused before. */
const ERASED_STATE: GuildState = { ...DEFAULT_STATE, presence: 'present' };

/** Returns the state of a guild without a row. @param wasPresent whether the bot was in it when it was erased last */
export function stateWithoutRow(wasPresent: boolean): GuildState {
  return wasPresent ? ERASED_STATE : DEFAULT_STATE;
}
