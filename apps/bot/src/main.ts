import { stopSignal } from './ops/stop-signal.ts';

// Before the rest is loaded, which takes a moment in which a signal may come, too.
const stop = stopSignal();
const { runBot } = await import('./run-bot.ts');
await runBot(stop);
