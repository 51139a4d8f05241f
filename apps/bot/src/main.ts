import { stopSignal } from '@guild-settings/runtime/command-line';

const STOP_TIMEOUT_MS = 9_000;

// Registered before the other modules are loaded, because a signal may arrive meanwhile.
const stop = stopSignal({ timeoutMs: STOP_TIMEOUT_MS });
const { runBot } = await import('./run-bot.ts');
await runBot(stop);
