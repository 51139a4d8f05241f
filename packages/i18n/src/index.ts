export {
  type DifferenceRow,
  differenceOf,
  type Entry,
  liveText,
  type ShownChange,
  type ShownChanges,
  saysEverything,
  sentenceOf,
} from './changes.ts';
export {
  channelNote,
  channelWarnings,
  flawOf,
  flawText,
  type KnownRole,
  lengthOf,
  permissionList,
  reasonFlaw,
  roleNote,
  roleWarnings,
  type ShownFlaw,
  wrongTypeText,
} from './flaws.ts';
export type { Translated, WithoutComments } from './texts.ts';
export { typedWords } from './typed-words.ts';
export {
  actorName,
  choiceText,
  fieldLabel,
  fillParts,
  knownFields,
  numberText,
  type Part,
  plainText,
  valueParts,
} from './values.ts';
export { commaList, DURATION_UNITS, languageName, type SharedText, shorten, type Words } from './words.ts';
