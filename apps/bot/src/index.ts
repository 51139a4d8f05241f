export { FileInUseError } from '@guild-settings/replica';
export { type Bot, type BotOptions, startBot } from './bot.ts';
export { BOT_VARIABLES, type BotConfig, readBotConfig } from './config.ts';
export { type Language, LOCALES } from './i18n/translator.ts';
export { botMetrics } from './monitoring/health.ts';
