export type { SettingsCommandForm, SettingsSubcommand } from './commands/settings.ts';
export type { SettingsTexts } from './i18n/settings-texts.ts';
export {
  type PresenceReporter,
  type ReportIntervals,
  type ReportPresenceOptions,
  reportPresence,
} from './report-presence.ts';
export type { PresenceService, SettingsService } from './settings/service.ts';
export {
  isSettingsInteraction,
  type SettingsCommand,
  type SettingsCommandOptions,
  settingsCommand,
  settingsCommandData,
} from './settings-command.ts';
