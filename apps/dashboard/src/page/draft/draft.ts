import type { Actor, GuildSettings, RecordSettings } from '@guild-settings/contract';
import {
  type Field,
  hasSameFeatures,
  hasSameValue,
  pick,
  SCALAR_FIELDS,
  type ScalarField,
  type Scalars,
  withFeatures,
} from './fields.ts';
import { type Merged, merge } from './merge.ts';

/** The newest change of a setting, as far as it is known. */
export interface FieldChangedBy {
  readonly actor: Actor;
  readonly at: string;
  readonly revision: number;
}

/** The settings that the service has. */
export interface Theirs {
  readonly settings: RecordSettings;
  /** The revision of the record, for If-Match. 0: a guild without changes, or one that was erased. */
  readonly revision: number;
  /** The revision up to which all changes are in it: that of the record, or of the erasure. */
  readonly upTo: number;
  /** The settings that others have changed since the page was opened, and their newest changes. */
  readonly changedBy: Partial<Record<Field, FieldChangedBy>>;
}

/**
 * What a person has set on the page and has not saved, beside what the service has. A value: each function returns another one.
 * What was set stays, whatever others change, until it is saved, reset, or given up in a conflict.
 */
export interface Draft {
  readonly theirs: Theirs;
  /** The values that were set. */
  readonly mine: Partial<Scalars>;
  /** For each of `mine`, the value before it that the person knew. */
  readonly base: Partial<Pick<RecordSettings, ScalarField>>;
  /** The features that were switched. */
  readonly switched: ReadonlyMap<string, boolean>;
  /** The change that was sent and has no answer yet. */
  readonly sent: Partial<GuildSettings>;
  /** The features that it switches. */
  readonly sentSwitched: ReadonlyMap<string, boolean>;
  /** The features of `switched` that the service had as the person wants them, and that others have switched back since. */
  readonly overruled: ReadonlySet<string>;
  /** The fields in which the person has ended a conflict since then: the answer is older than that, and does not change them. */
  readonly decided: readonly ScalarField[];
  /** The features in which the person has ended a conflict since then. */
  readonly decidedFeatures: readonly string[];
}

/** The parts of a draft about a change that was sent, where there is none. */
export const NOTHING_SENT = {
  sent: {},
  sentSwitched: new Map(),
  decided: [],
  decidedFeatures: [],
} as const satisfies Partial<Draft>;

/** Returns a draft without edits. */
export function draftOf(theirs: Theirs): Draft {
  return { theirs, mine: {}, base: {}, switched: new Map(), overruled: new Set(), ...NOTHING_SENT };
}

/** Returns a draft without the edits that the service has already: they are no unsaved changes. What is on its way may change that. */
export function settled(draft: Draft): Draft {
  const { theirs, mine, base, sent } = draft;
  const left = SCALAR_FIELDS.filter((field) => Object.hasOwn(sent, field) || mine[field] !== theirs.settings[field]);
  const features = new Set(theirs.settings.enabledFeatures);
  const isLeft = ([name, isOn]: readonly [string, boolean]) =>
    sent.enabledFeatures !== undefined || isOn !== features.has(name);
  const switched = new Map([...draft.switched].filter(isLeft));
  return {
    ...draft,
    mine: pick(mine, left),
    base: pick(base, left),
    switched,
    overruled: new Set([...draft.overruled].filter((name) => switched.has(name))),
  };
}

/** A draft as the page shows it. */
export interface View extends Merged {
  /** The features that others have switched back: `settings` has them as the person wants them. */
  readonly featureConflicts: readonly string[];
}

/** Whether a person has to decide between two values before the draft can be saved. */
export function hasConflict({ conflicts, featureConflicts }: View): boolean {
  return conflicts.length + featureConflicts.length > 0;
}

/** Returns the settings as the page shows them, and the fields and features that others have set to something else. */
export function viewOf(draft: Draft): View {
  const { theirs, mine, base, switched, sent, decided } = draft;
  const { settings } = theirs;
  const opposite = new Map([...switched].map(([name, isOn]) => [name, !isOn]));
  const own = SCALAR_FIELDS.filter(
    (field) => Object.hasOwn(sent, field) && sent[field] === settings[field] && !decided.includes(field),
  );
  const merged = merge(
    {
      // What is not edited is as theirs. The event of an own change that was just sent is no change of others.
      ...pick(
        settings,
        SCALAR_FIELDS.filter((field) => !Object.hasOwn(mine, field)),
      ),
      // Set on purpose to the value of before, a field must not look as if it was left as it was.
      ...pick(
        base,
        SCALAR_FIELDS.filter((field) => base[field] !== mine[field]),
      ),
      ...pick(settings, own),
      enabledFeatures: withFeatures(settings.enabledFeatures, opposite),
    },
    settings,
    { ...settings, ...mine, enabledFeatures: withFeatures(settings.enabledFeatures, switched) },
  );
  return { ...merged, featureConflicts: featureConflictsOf(draft) };
}

function featureConflictsOf({ theirs, switched, overruled, sentSwitched, decidedFeatures }: Draft): string[] {
  const { enabledFeatures } = theirs.settings;
  return [...overruled].filter((name) => {
    const isOn = enabledFeatures.includes(name);
    // The event of an own change that was just sent is no change of others.
    const isOwn = sentSwitched.get(name) === isOn && !decidedFeatures.includes(name);
    return switched.has(name) && switched.get(name) !== isOn && !isOwn;
  });
}

/** Returns the change to send: the fields that differ from what the service has. */
export function changesOf(draft: Draft): Partial<GuildSettings> {
  const { settings } = draft.theirs;
  const { enabledFeatures } = viewOf(draft).settings;
  const set = SCALAR_FIELDS.filter((field) => !hasSameValue(field, { ...settings, ...draft.mine }, settings));
  return {
    ...pick(draft.mine, set),
    ...(!hasSameFeatures(enabledFeatures, settings.enabledFeatures) && { enabledFeatures }),
  };
}
