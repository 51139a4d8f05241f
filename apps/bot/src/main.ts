import { stopRequest } from './ops/stop-request.ts';

// Before the rest is loaded, which takes a moment in which a signal may come, too.
const stop = stopRequest();
const { runBot } = await import('./run-bot.ts');
await runBot(stop);
