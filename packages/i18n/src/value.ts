import { listParts, type Part, textPart, valuePart } from './part.ts';
import { languageName, type Words } from './words.ts';

/**
 * Returns the value of a field for readers. A field or a value that this version does not know is shown as JSON.
 * @param maxListed how many features are named. The others are counted.
 */
export function valueParts(field: string, value: unknown, words: Words, maxListed?: number): Part[] {
  const { shared, language } = words;
  if (value === '' || value === null || value === undefined) return [textPart(shared('value.none'))];
  if (field === 'beta' && typeof value === 'boolean') return [textPart(shared(value ? 'value.on' : 'value.off'))];
  if (field === 'presence' && (value === 'present' || value === 'left' || value === 'unknown')) {
    return [textPart(shared(`value.${value}`))];
  }
  if (field === 'enabledFeatures' && isListOfTexts(value)) return featureParts(value, words, maxListed);
  if (typeof value !== 'string') return [valuePart(JSON.stringify(value) ?? '')];
  if (field === 'announcement_channel') return [{ kind: 'channel', id: value }];
  return [valuePart(field === 'language' ? languageName(value, language) : value)];
}

/** Returns names of features as a list. */
export function featureParts(names: readonly string[], words: Words, maxListed?: number): Part[] {
  if (names.length === 0) return [textPart(words.shared('value.none'))];
  return listParts(
    names.map((id) => ({ kind: 'feature', id })),
    words,
    maxListed,
  );
}

/** Names of features that are added or removed. */
export interface FeatureChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Returns what a list of features gained and lost; undefined: nothing, or the values are no lists of names. */
export function featureChange(from: unknown, to: unknown): FeatureChange | undefined {
  if (!isListOfTexts(from) || !isListOfTexts(to)) return undefined;
  const added = to.filter((name) => !from.includes(name));
  const removed = from.filter((name) => !to.includes(name));
  return added.length + removed.length > 0 ? { added, removed } : undefined;
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
