import { once } from 'node:events';
import { createRedactor, exitOnCrash } from '@guild-settings/runtime/log';
import { startBot } from './bot.ts';
import { readBotConfig } from './config.ts';
import { botRedactor } from './ops/bot-redactor.ts';
import { explainStartFailure } from './ops/start-failure.ts';

/** Runs the bot of the environment until `stop` aborts or Discord ends the connection for good. Exits the process. */
export async function runBot(stop: AbortSignal): Promise<void> {
  const ended = new AbortController();
  let redactor = createRedactor();
  try {
    const config = readBotConfig();
    redactor = botRedactor(config);
    exitOnCrash(redactor);
    const over = AbortSignal.any([stop, ended.signal]);
    const bot = await startBot(config, { redactor, onEnded: (reason) => ended.abort(reason) });
    const stopped: Promise<unknown> = over.aborted ? Promise.resolve() : once(over, 'abort');
    try {
      await Promise.race([bot.connected.then(() => stopped), stopped]);
    } finally {
      await bot.stop();
    }
    if (!stop.aborted) throw ended.signal.reason;
  } catch (error) {
    console.error(redactor.redact(explainStartFailure(error)));
    // A supervisor starts another process.
    process.exitCode = 1;
  }
  // Pending requests to Discord would keep the process running.
  process.exit();
}
