export { type DifferenceRow, differenceOf } from './difference.ts';
export type { Entry, ShownChange, ShownChanges } from './entry.ts';
export { fieldLabel, knownFields } from './fields.ts';
export { flawOf, flawText, lengthOf, reasonFlaw, type ShownFlaw } from './flaws.ts';
export { liveText } from './live.ts';
export { fillParts, type Part, plainText } from './part.ts';
export { actorName } from './person.ts';
export {
  channelWarnings,
  type KnownChannel,
  type KnownRole,
  roleNote,
  roleWarnings,
  wrongTypeText,
} from './references.ts';
export { saysEverything, sentenceOf } from './sentence.ts';
export type { Translated, WithoutComments } from './translated.ts';
export { choiceText, numberText, valueParts } from './value.ts';
export { commaList, DURATION_UNITS, languageName, type SharedText, shorten, type Words } from './words.ts';
