import type { HistoryEntry } from '@guild-settings/contract';
import { fits, type ListDifference, listDifference } from '@guild-settings/contract/settings';
import type enUS from './locales/en-US/shared.json';
import { fieldObject, fillParts, knownFields, listParts, type Part, settingOf, valueParts } from './values.ts';
import { ownText, type Words } from './words.ts';

export interface ShownChange {
  readonly from?: unknown;
  readonly to?: unknown;
}

export type ShownChanges = Readonly<Record<string, ShownChange>>;

/** A change of a guild as a reader receives it. */
export interface Entry extends Omit<HistoryEntry, 'changes'> {
  readonly changes: ShownChanges;
}

export type SentenceSource = Pick<Entry, 'actor' | 'origin' | 'changes'> & Partial<Pick<Entry, 'undoes' | 'restores'>>;

type Slots = Readonly<Record<string, readonly Part[]>>;
type Pattern = readonly [key: keyof (typeof enUS)['sentence'], slots?: Slots, own?: readonly string[]];

/** Returns the sentence of a change, as parts: texts, values, the author, and numbers of other changes. */
export function sentenceOf(entry: SentenceSource, words: Words): Part[] {
  const [key, slots = {}, own = []] = patternOf(entry, words);
  const template = ownText(words, own, `sentence.${key}`, { skipInterpolation: true });
  return fillParts(template, { ...slots, who: [{ kind: 'person', actor: entry.actor }] });
}

/**
 * Returns true if the sentence of a change contains its whole difference: it is about one field or the bot's presence,
 * and no other change.
 */
export function saysEverything({ changes, origin, undoes, restores }: SentenceSource): boolean {
  const isComputed = undoes !== undefined || restores !== undefined || origin === 'import';
  return (
    !isComputed && (Object.keys(changes).length <= 1 || (origin === 'platform' && isPresence(changes.presence?.to)))
  );
}

function patternOf({ origin, changes, undoes, restores }: SentenceSource, words: Words): Pattern {
  if (undoes !== undefined) return ['undo', { change: [{ kind: 'change', revision: undoes }] }];
  if (restores === 0) return ['restoreDefaults'];
  if (restores !== undefined) return ['restore', { change: [{ kind: 'change', revision: restores }] }];
  if (origin === 'import') return ['import'];
  // The first report of a guild also has its name and icon.
  if (origin === 'platform' && isPresence(changes.presence?.to)) return [PRESENCE[changes.presence.to]];
  const [field, ...others] = changedFields(changes, words);
  if (field === undefined) return ['nothing'];
  const change = changes[field];
  if (others.length === 0 && change !== undefined) return fieldPattern(field, change, words);
  const fields = listParts(
    [field, ...others].map((name) => fieldObject(name, words)),
    words,
  );
  return [origin === 'platform' ? 'platform' : 'fields', { fields }];
}

/** Returns the pattern of a change of one field: a specific sentence, if there is one for the outcome. */
function fieldPattern(field: string, change: ShownChange, words: Words): Pattern {
  const { from, to } = change;
  const partsOf = (value: unknown) => valueParts(field, value, words);
  const items = itemsOf(field, change, words);
  const values = { field: [fieldObject(field, words)], from: partsOf(from), to: partsOf(to) };
  const slots =
    items === undefined ? values : { ...values, added: partsOf(items.added), removed: partsOf(items.removed) };
  // An empty setting has `''`; an empty field of Discord has null.
  const none = settingOf(field, words) === undefined ? null : '';
  const outcome = listOutcome(change, items) ?? outcomeOf(change, none);
  return ['field', slots, [`change.${field}.${outcome}`, `change.${field}.changed`]];
}

function listOutcome({ from, to }: ShownChange, items: ListDifference | undefined): string | undefined {
  if (items === undefined) return Array.isArray(from) && Array.isArray(to) ? 'order' : undefined;
  if (items.removed.length === 0) return 'added';
  return items.added.length === 0 ? 'removed' : 'both';
}

function outcomeOf({ from, to }: ShownChange, none: '' | null): string {
  if (typeof to === 'boolean') return to ? 'on' : 'off';
  if (to === none) return 'none';
  return from === none ? 'set' : 'changed';
}

const PRESENCE = { present: 'joined', left: 'left' } as const;

function isPresence(value: unknown): value is keyof typeof PRESENCE {
  return value === 'present' || value === 'left';
}

/** Fields owned by Discord whose values are not shown: the hash of an icon, and the presence, which has a sentence. */
const WITHOUT_VALUES: readonly string[] = ['icon', 'presence'];

const MAX_FIELDS = 16;

export interface DifferenceRow {
  readonly field: string;
  readonly from: readonly Part[];
  readonly to: readonly Part[];
  /** For a list: the items that it gained and lost, unless only the order has changed. */
  readonly items?: ListDifference;
}

/**
 * Returns the changed fields with displayable values, before and after, in the order of the record; unknown fields at
 * the end.
 */
export function differenceOf(changes: ShownChanges, words: Words): DifferenceRow[] {
  const fields = changedFields(changes, words).filter((field) => !WITHOUT_VALUES.includes(field));
  return fields.map((field) => {
    const { from, to } = changes[field] ?? {};
    const items = itemsOf(field, { from, to }, words);
    return {
      field,
      from: valueParts(field, from, words),
      to: valueParts(field, to, words),
      ...(items && { items }),
    };
  });
}

/** Returns the items that a list gained and lost; undefined: only its order changed, or the field is not a list. */
function itemsOf(field: string, { from, to }: ShownChange, words: Words): ListDifference | undefined {
  const setting = settingOf(field, words);
  return setting !== undefined && fits(setting, from) && fits(setting, to) ? listDifference(from, to) : undefined;
}

/** Returns the names of changed fields, in the order of the record; unknown fields at the end. */
export function changedFields(changes: ShownChanges, words: Pick<Words, 'settings'> = {}): string[] {
  const known = knownFields(words);
  const others = Object.keys(changes).filter((field) => !known.has(field));
  return [...[...known].filter((field) => Object.hasOwn(changes, field)), ...others].slice(0, MAX_FIELDS);
}
