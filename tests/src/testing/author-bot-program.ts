import { startAuthorBot } from './author-bot.ts';

/** Runs the bot of a team until SIGTERM. The process ends when none of its work is left. */
const bot = await startAuthorBot(JSON.parse(process.env.OPTIONS ?? ''));
process.once('SIGTERM', () => void bot.stop());
await bot.replica.waitUntilLive();
process.stdout.write('ready\n');
