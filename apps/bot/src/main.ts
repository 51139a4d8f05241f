import { stopSignal } from './ops/stop-signal.ts';

// Handled before the rest is loaded, so that no signal is missed meanwhile.
const stop = stopSignal();
const { runBot } = await import('./run-bot.ts');
await runBot(stop);
