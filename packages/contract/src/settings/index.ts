/** Declarations of settings, and all that follows from them. Without zod, so that pages can use it. */

export { CHANNEL_TYPE_NUMBERS, isThread, takesMessages, takesType } from './channel-types.ts';
export { counted } from './counted.ts';
export * from './declaration.ts';
export {
  CUSTOM,
  type CustomSettings,
  DeclaredSettings,
  type EffectiveSettings,
  type SetValues,
  SPECIFIED_SETTINGS,
} from './declared-settings.ts';
export type { Flaw } from './flaw.ts';
export { flawMessage } from './flaw-message.ts';
export { secondsIn } from './kinds/duration.ts';
export { folded, named } from './kinds/folded.ts';
export type { Item, TypedWords } from './kinds/kind.ts';
export { plainDigits } from './kinds/plain-digits.ts';
export { textFlaws, withLineFeeds } from './kinds/text-flaws.ts';
export { patchOf, type SettingsPatch, type SettingValues, valueIn } from './record-values.ts';
export { servedDeclaration } from './served-declaration.ts';
export {
  fits,
  flawsOf,
  isSameValue,
  type ListDifference,
  limitsOf,
  listDifference,
  maxBytes,
  type Place,
  parseTyped,
  type Setting,
  stored,
} from './setting.ts';
export * from './setting-declaration.ts';
export { textIn } from './text-in.ts';
