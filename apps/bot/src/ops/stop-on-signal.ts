import type { Logger } from 'pino';
import type { Bot } from '../bot.ts';

/** How long the process may go on before it ends anyway, in milliseconds: a call that nobody answers keeps it alive. */
const END_TIME = 9_000;

/** On SIGTERM or SIGINT stops the bot and exits 0. Another signal meanwhile changes nothing. */
export function stopOnSignal(bot: Bot, logger: Logger): void {
  const stop = async () => {
    setTimeout(() => process.exit(process.exitCode ?? 1), END_TIME).unref();
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
