import type { Actor } from '@guild-settings/contract';
import { changedFields, featureChange, fieldObject } from './difference.ts';
import type { Entry, ShownChange } from './entry.ts';
import { shownValue } from './value.ts';
import { type HistoryTexts, shorten, type Words } from './words.ts';

/** A part of a sentence about a change. */
export type SentencePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'person'; readonly actor: Actor }
  | { readonly kind: 'change'; readonly revision: number };

/** The parts of an entry that a sentence is made of. */
export type SentenceSource = Pick<Entry, 'actor' | 'origin' | 'changes'> & Partial<Pick<Entry, 'undoes' | 'restores'>>;

/** Features that a sentence names. The others are counted. */
const MAX_LISTED = 5;

type Slots = Readonly<Record<string, readonly SentencePart[]>>;
type Pattern = readonly [key: keyof HistoryTexts['sentence'], slots?: Slots];

/** Returns the sentence of a change, as parts: texts, values, the author, and numbers of other changes. */
export function sentenceOf(entry: SentenceSource, words: Words): SentencePart[] {
  const [key, slots = {}] = patternOf(entry, words);
  return fill(words.t(`sentence.${key}`, { skipInterpolation: true }), {
    ...slots,
    who: [{ kind: 'person', actor: entry.actor }],
  });
}

/** Returns whether the sentence of a change has its whole difference: it is about one field, and no other change. */
export function saysEverything({ changes, origin, undoes, restores }: SentenceSource): boolean {
  const isComputed = undoes !== undefined || restores !== undefined || origin === 'import';
  return !isComputed && Object.keys(changes).length <= 1;
}

/** Returns a sentence as plain text. `personName`: how authors are called. */
export function plainSentence(parts: readonly SentencePart[], personName: (actor: Actor) => string): string {
  return parts.map((part) => plainPart(part, personName)).join('');
}

/** Returns how a person without a known name is called, or what else made a change. */
export function actorName({ kind, id }: Actor, { t }: Pick<Words, 't'>): string {
  switch (kind) {
    case 'user':
      return id === null ? t('person.erased') : t('person.user', { id });
    case 'application':
      return t('person.application');
    case 'platform':
      return t('person.platform');
    default:
      // An author of a newer service.
      return shorten(kind);
  }
}

function plainPart(part: SentencePart, personName: (actor: Actor) => string): string {
  switch (part.kind) {
    case 'person':
      return personName(part.actor);
    case 'change':
      return `#${part.revision}`;
    case 'text':
    case 'value':
      return part.text;
  }
}

function patternOf({ origin, changes, undoes, restores }: SentenceSource, words: Words): Pattern {
  if (undoes !== undefined) return ['undo', { change: [{ kind: 'change', revision: undoes }] }];
  if (restores === 0) return ['restoreDefaults'];
  if (restores !== undefined) return ['restore', { change: [{ kind: 'change', revision: restores }] }];
  if (origin === 'import') return ['import'];
  // The first report of a guild has its name and its icon as well.
  if (origin === 'platform' && isPresence(changes.presence?.to)) return [PRESENCE[changes.presence.to]];
  const [field, ...others] = changedFields(changes);
  if (field === undefined) return ['nothing'];
  const change = changes[field];
  if (others.length === 0 && change !== undefined) return fieldPattern(field, change, words);
  const fields = list(
    [field, ...others].map((name) => ({ kind: 'text', text: fieldObject(name, words) })),
    words,
  );
  return [origin === 'platform' ? 'platform' : 'fields', { fields }];
}

function fieldPattern(field: string, change: ShownChange, words: Words): Pattern {
  const { from, to } = change;
  const values = { from: [valuePart(field, from, words)], to: [valuePart(field, to, words)] };
  const plain: Pattern = ['field', { ...values, field: [{ kind: 'text', text: fieldObject(field, words) }] }];
  switch (field) {
    case 'prefix':
      return [to === '' ? 'prefixOff' : from === '' ? 'prefixOn' : 'prefix', values];
    case 'announcement_channel':
      return [to === '' ? 'channelNone' : from === '' ? 'channelSet' : 'channel', values];
    case 'beta':
      return typeof to === 'boolean' ? [to ? 'betaOn' : 'betaOff'] : plain;
    case 'language':
      return ['language', values];
    case 'enabledFeatures':
      return featuresPattern(change, words) ?? plain;
    case 'name':
      return ['renamed', values];
    case 'icon':
      return [to === null ? 'iconNone' : 'icon'];
    default:
      return plain;
  }
}

const PRESENCE = { present: 'joined', left: 'left' } as const;

function isPresence(value: unknown): value is keyof typeof PRESENCE {
  return value === 'present' || value === 'left';
}

/** Returns the pattern of a change of features; undefined: the values are no lists of names. */
function featuresPattern({ from, to }: ShownChange, words: Words): Pattern | undefined {
  const change = featureChange(from, to);
  if (change === undefined) return Array.isArray(from) && Array.isArray(to) ? ['featuresOrder'] : undefined;
  const { added, removed } = change;
  const slots = { added: names(added, words), removed: names(removed, words) };
  if (removed.length === 0) return ['featuresOn', slots];
  return [added.length === 0 ? 'featuresOff' : 'featuresBoth', slots];
}

function names(features: readonly string[], words: Words): SentencePart[] {
  const shown = features.slice(0, MAX_LISTED).map((name): SentencePart => ({ kind: 'value', text: shorten(name) }));
  const count = features.length - shown.length;
  return list(count > 0 ? [...shown, { kind: 'text', text: words.t('more', { count }) }] : shown, words);
}

/** Joins parts as the language does: "a, b and c". */
function list(parts: readonly SentencePart[], { language }: Words): SentencePart[] {
  const positions = parts.map((_, position) => String(position));
  return new Intl.ListFormat(language, { type: 'conjunction' })
    .formatToParts(positions)
    .map(({ type, value }) => (type === 'element' && parts[Number(value)]) || { kind: 'text', text: value });
}

function valuePart(field: string, value: unknown, words: Words): SentencePart {
  const { text, isLiteral } = shownValue(field, value, words);
  return { kind: isLiteral ? 'value' : 'text', text };
}

/** Replaces `{{name}}` in a text by the parts of that name. Values are never read as a template. */
export function fill(template: string, slots: Slots): SentencePart[] {
  return template
    .split(/\{\{(\w+)\}\}/)
    .flatMap((piece, index): readonly SentencePart[] =>
      index % 2 === 1 ? (slots[piece] ?? []) : piece === '' ? [] : [{ kind: 'text', text: piece }],
    );
}
