/** The framework, for the bot of this repository and its own commands. Not part of the published package. */

export { pageLines } from './commands/page-lines.ts';
export { requirePermission } from './commands/require-permission.ts';
export { type SettingsServices, settingsServices } from './commands/services.ts';
export { settingsCommandOf } from './commands/settings.ts';
export {
  botChannelOf,
  type ChannelState,
  type ChannelsOfGuilds,
  channelIdOf,
  channelsOfGuilds,
} from './discord/channels.ts';
export { failureOf, type PostFailure } from './discord/failures.ts';
export {
  type Action,
  type ActionDefinition,
  actionsWith,
  allUsers,
  type Command,
  type Typing,
} from './framework/command.ts';
export { registrationOf } from './framework/command-registration.ts';
export { type Dispatcher, dispatch } from './framework/dispatch/dispatch.ts';
export { ChannelReplies, Cooldown, type CooldownOptions, DEFAULT_COOLDOWN } from './framework/dispatch/run-action.ts';
export { findCommand } from './framework/find-command.ts';
export type { Form, Invocation, Reply } from './framework/invocation.ts';
export {
  anyRest,
  named,
  nameOf,
  type Option,
  type OptionSet,
  phrase,
  rest,
  slashNameOf,
  usageOf,
  wholeNumber,
  word,
} from './framework/options.ts';
export { code, didYouMean, literal, nearest, Refusal, withOneMeaning } from './i18n/text.ts';
export { closestLanguage, LOCALES, type Translator, Vocabulary } from './i18n/translator.ts';
export { CHECK_INTERVALS, keepRegistered, type OwnCommands, Registration } from './registration.ts';
export { followDeployment } from './settings/deployment.ts';
export { callService, isMismatch, readService } from './settings/service.ts';
export { settingName } from './settings/setting-texts.ts';
export { suggestZones, zoneOf } from './settings/zone-suggestions.ts';
