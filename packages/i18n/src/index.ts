export {
  type DifferenceRow,
  differenceOf,
  type Entry,
  type ShownChange,
  type ShownChanges,
  saysEverything,
  sentenceOf,
} from './changes.ts';
export {
  ambiguousText,
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
export { amountsIn, UNIT_SECONDS } from './typed/durations.ts';
export { timeIn } from './typed/times.ts';
export { namedValues, typedWords } from './typed/typed-words.ts';
export { timeZoneIn, timeZoneLabel, timeZonesLike } from './typed/zones.ts';
export {
  actorName,
  choiceText,
  fieldLabel,
  fillParts,
  knownFields,
  listParts,
  numberText,
  type Part,
  plainText,
  valueParts,
} from './values.ts';
export {
  clauses,
  commaList,
  commaOf,
  DURATION_UNITS,
  fill,
  languageName,
  liveText,
  type SharedText,
  type SharedTexts,
  sentences,
  shorten,
  type TextIn,
  type Words,
} from './words.ts';
