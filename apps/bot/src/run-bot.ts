import { once } from 'node:events';
import { inspect } from 'node:util';
import { DamagedFileError, FileInUseError } from '@guild-settings/replica';
import { EnvironmentError } from '@guild-settings/runtime/environment';
import { createRedactor, errorFields, exitOnCrash } from '@guild-settings/runtime/log';
import { EarlierDatabaseError } from '@guild-settings/runtime/sqlite-file';
import { startBot } from './bot.ts';
import { readBotConfig } from './config.ts';
import { LoginRefusedError } from './discord/gateway-client.ts';
import { botRedactor } from './monitoring/log.ts';

/**
 * Runs the bot of the environment until `stop` is aborted or Discord permanently ends the connection. Exits the
 * process.
 */
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

/** Returns the reason why the bot did not start, for the operator: the remedy, or the error without secrets. */
export function explainStartFailure(error: unknown): string {
  const complete = [EnvironmentError, LoginRefusedError, EarlierDatabaseError];
  if (error instanceof Error && complete.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof FileInUseError)
    return `${error.message} Set DATABASE_URL to a separate file for each bot process.`;
  if (error instanceof DamagedFileError) {
    const reason = error.cause instanceof Error ? ` (${error.cause.message})` : '';
    return `The file of DATABASE_URL is damaged: ${error.path}${reason}. It contains reminders. Restore a backup, or recover it with sqlite3: docs/operate.md#a-damaged-file-of-the-bot. To continue without it, move it aside: \`mv ${error.path} ${error.path}-damaged\`, and the same with -wal and -shm. Reminders are then lost, and settings are fetched again.`;
  }
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'EADDRINUSE') return `${error.message}. Set HEALTH_PORT to another port.`;
    const isOfFile = String(error.code).startsWith('SQLITE_') || ('syscall' in error && error.syscall === 'mkdir');
    if (isOfFile) return `The file of DATABASE_URL cannot be used: ${error.message}`;
  }
  return inspect(errorFields(error), { depth: 12 });
}
