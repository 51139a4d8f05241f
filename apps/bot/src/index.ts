export { type Bot, type BotOptions, startBot } from './bot.ts';
export { type BotConfig, readBotConfig } from './config.ts';
export { FileInUseError } from './database/hold-file.ts';
export {
  type Follow,
  Replica,
  type ReplicaCounts,
  type ReplicaOptions,
  type ReplicaStatus,
} from './replica/replica.ts';
export { type Language, LOCALES } from './speech/speech.ts';
