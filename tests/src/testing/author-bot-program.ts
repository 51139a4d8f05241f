import { startAuthorBot } from './author-bot.ts';

/** Runs the bot of a team until SIGTERM. The process ends by itself when nothing of it is left. */
const bot = await startAuthorBot(JSON.parse(process.env.OPTIONS ?? ''));
process.once('SIGTERM', () => void bot.stop());
await bot.replica.waitUntilLive();
process.stdout.write('ready\n');
