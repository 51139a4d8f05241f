import { once } from 'node:events';
import { createRedactor, exitOnCrash } from '@guild-settings/log-redaction';
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
    const bot = await startBot(config, { redactor, onEnded: () => ended.abort() });
    const stopped: Promise<unknown> = over.aborted ? Promise.resolve() : once(over, 'abort');
    try {
      await Promise.race([bot.connected.then(() => stopped), stopped]);
    } finally {
      await bot.stop();
    }
  } catch (error) {
    console.error(redactor.redact(explainStartFailure(error)));
    process.exitCode = 1;
    return;
  }
  // Pending requests to Discord would keep the process running. Exit code 1 makes a supervisor start another process.
  process.exit(stop.aborted ? 0 : 1);
}
