import type { Logger } from 'pino';
import type { Bot } from '../bot.ts';

/** How long stopping may take before the process ends anyway, in milliseconds. */
const END_TIME = 9_000;

/** On SIGTERM or SIGINT stops the bot and exits 0. Another signal meanwhile changes nothing. */
export function stopOnSignal(bot: Bot, logger: Logger): void {
  const stop = async () => {
    setTimeout(() => process.exit(1), END_TIME).unref();
    try {
      await bot.stop();
      process.exitCode = 0;
    } catch (error) {
      logger.error({ err: error }, 'stopping failed');
      process.exitCode = 1;
    }
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
}
