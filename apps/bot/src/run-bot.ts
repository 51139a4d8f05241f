import { once } from 'node:events';
import { pino } from 'pino';
import { startBot } from './bot.ts';
import { readBotConfig } from './config.ts';
import { explainStartFailure } from './ops/start-failure.ts';

/** Runs the bot of the environment until it is asked to stop, or is of no more use. Ends the process. */
export async function runBot(stop: AbortSignal): Promise<void> {
  const ended = new AbortController();
  try {
    const config = readBotConfig();
    const logger = pino({ level: config.logLevel });
    const over = AbortSignal.any([stop, ended.signal]);
    const bot = await startBot(config, { logger, onEnded: () => ended.abort() });
    const stopped: Promise<unknown> = over.aborted ? Promise.resolve() : once(over, 'abort');
    try {
      await Promise.race([bot.connected.then(() => stopped), stopped]);
    } finally {
      await bot.stop();
    }
  } catch (error) {
    console.error(explainStartFailure(error));
    process.exitCode = 1;
    return;
  }
  // What Discord has not answered yet is no reason to stay. Without having been asked to stop, somebody is to start another.
  process.exit(stop.aborted ? 0 : 1);
}
