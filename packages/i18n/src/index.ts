export { changedFields, type DifferenceRow, differenceOf } from './difference.ts';
export type { Entry, ShownChange, ShownChanges } from './entry.ts';
export { CHANGED_FIELDS, fieldLabel } from './fields.ts';
export { fillParts, type Part, plainText } from './part.ts';
export { actorName } from './person.ts';
export { saysEverything, sentenceOf } from './sentence.ts';
export type { Translated } from './translated.ts';
export { type FeatureChange, featureParts, valueParts } from './value.ts';
export { commaList, languageName, SHARED, type SharedText, shorten, type Words } from './words.ts';
