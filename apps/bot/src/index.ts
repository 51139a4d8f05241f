export { FileInUseError } from '@guild-settings/replica';
export { type Bot, type BotOptions, startBot } from './bot.ts';
export { BOT_VARIABLES, type BotConfig, readBotConfig } from './config.ts';
export { BOT_TEXTS } from './i18n/bot-text.ts';
export { botMetrics } from './monitoring/health.ts';
