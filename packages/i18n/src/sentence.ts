import { changedFields } from './difference.ts';
import type { Entry, ShownChange } from './entry.ts';
import { fieldObject } from './fields.ts';
import { fillParts, listParts, type Part } from './part.ts';
import type { texts } from './texts/en-us.ts';
import { featureChange, featureParts, valueParts } from './value.ts';
import type { Words } from './words.ts';

/** The parts of an entry that a sentence is made of. */
export type SentenceSource = Pick<Entry, 'actor' | 'origin' | 'changes'> & Partial<Pick<Entry, 'undoes' | 'restores'>>;

type Slots = Readonly<Record<string, readonly Part[]>>;
type Pattern = readonly [key: keyof (typeof texts)['sentence'], slots?: Slots];

/** Returns the sentence of a change, as parts: texts, values, the author, and numbers of other changes. */
export function sentenceOf(entry: SentenceSource, words: Words): Part[] {
  const [key, slots = {}] = patternOf(entry, words);
  const template = words.shared(`sentence.${key}`, { skipInterpolation: true });
  return fillParts(template, { ...slots, who: [{ kind: 'person', actor: entry.actor }] });
}

/** Returns whether the sentence of a change has its whole difference: it is about one field, and no other change. */
export function saysEverything({ changes, origin, undoes, restores }: SentenceSource): boolean {
  const isComputed = undoes !== undefined || restores !== undefined || origin === 'import';
  return !isComputed && Object.keys(changes).length <= 1;
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
  const fields = listParts(
    [field, ...others].map((name) => fieldObject(name, words)),
    words,
  );
  return [origin === 'platform' ? 'platform' : 'fields', { fields }];
}

function fieldPattern(field: string, change: ShownChange, words: Words): Pattern {
  const { from, to } = change;
  const values = { from: valueParts(field, from, words), to: valueParts(field, to, words) };
  const plain: Pattern = ['field', { ...values, field: [fieldObject(field, words)] }];
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
  const slots = { added: featureParts(added, words), removed: featureParts(removed, words) };
  if (removed.length === 0) return ['featuresOn', slots];
  return [added.length === 0 ? 'featuresOff' : 'featuresBoth', slots];
}
