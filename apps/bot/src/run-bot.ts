import { once } from 'node:events';
import { createRedactor, exitOnCrash } from '@guild-settings/log-redaction';
import { startBot } from './bot.ts';
import { readBotConfig } from './config.ts';
import { botRedactor } from './ops/bot-redactor.ts';
import { explainStartFailure } from './ops/start-failure.ts';

/** Runs the bot of the environment until it is asked to stop, or is of no more use. Ends the process. */
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
  // What Discord has not answered yet is no reason to stay. Without having been asked to stop, somebody is to start another.
  process.exit(stop.aborted ? 0 : 1);
}
