/** Declarations of settings, and all that follows from them. Without zod, so that pages can use it. */

export { type BotChannel, lackingIn } from './channel-needs.ts';
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
export { counted, flawMessage } from './flaw.ts';
export type { Item, TypedWords } from './kinds.ts';
export { folded, named, plainDigits, secondsIn } from './kinds.ts';
export { patchOf, type SettingsPatch, type SettingValues, servedDeclaration, valueIn } from './record-values.ts';
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
export { textIn } from './setting-declaration.ts';
export { textFlaws, withLineFeeds } from './text-flaws.ts';
