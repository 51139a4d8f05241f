import { pino } from 'pino';
import { startBot } from './bot.ts';
import { readBotConfig } from './config.ts';
import { explainStartFailure } from './ops/start-failure.ts';
import { stopOnSignal } from './ops/stop-on-signal.ts';

try {
  const config = readBotConfig();
  const logger = pino({ level: config.logLevel });
  const bot = await startBot(config, { logger });
  stopOnSignal(bot, logger);
  await bot.connected.catch(async (error: unknown) => {
    await bot.stop();
    throw error;
  });
} catch (error) {
  console.error(explainStartFailure(error));
  process.exitCode = 1;
}
