/** Declarations of settings, and everything derived from them. Without zod, so that pages can use it. */

export { type BotChannel, lackingIn, type Reference, referencesIn } from './channel-needs.ts';
export { botPermissionsText, CHANNEL_PERMISSION_NAMES, type ChannelPermission } from './channel-permissions.ts';
export { CHANNEL_TYPE_NUMBERS, isThread, takesMessages, takesType } from './channel-types.ts';
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
export { counted, flawMessage, flawPath } from './flaw.ts';
export type { Kind, Mentioned, TypedWords } from './kinds/kind.ts';
export { Ambiguous, folded, named, plainDigits } from './kinds/kind.ts';
export { emojiId, emojiOf, isUnicodeEmoji } from './kinds/references.ts';
export { placeholdersIn } from './kinds/texts.ts';
export { parseTyped } from './parse-typed.ts';
export { patchOf, type SettingsPatch, type SettingValues, servedDeclaration, valueIn } from './record-values.ts';
export {
  fits,
  flawsOf,
  inEffect,
  isOfGuild,
  isRequired,
  isRow,
  isSameValue,
  type ListDifference,
  limitsOf,
  listDifference,
  maxBytes,
  type Place,
  type Setting,
  stored,
} from './setting.ts';
export * from './setting-declaration.ts';
export { textFlaws, withLineFeeds } from './text-flaws.ts';
export { isTimeZone, timeZoneName } from './time-zones.ts';
