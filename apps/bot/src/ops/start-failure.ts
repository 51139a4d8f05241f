import { inspect } from 'node:util';
import { DamagedFileError, FileInUseError } from '@guild-settings/replica';
import { EnvironmentError } from '@guild-settings/runtime/environment';
import { errorFields } from '@guild-settings/runtime/log';
import { EarlierDatabaseError } from '@guild-settings/runtime/sqlite-file';
import { LoginRefusedError } from '../discord/gateway-client.ts';

/** Explains to the operator why the bot did not start: what to change, or the error with its secrets removed. */
export function explainStartFailure(error: unknown): string {
  const complete = [EnvironmentError, LoginRefusedError, EarlierDatabaseError];
  if (error instanceof Error && complete.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof FileInUseError)
    return `${error.message} Give each bot process a file of its own by DATABASE_URL.`;
  if (error instanceof DamagedFileError) {
    const reason = error.cause instanceof Error ? ` (${error.cause.message})` : '';
    return `The file of DATABASE_URL is damaged: ${error.path}${reason}. Reminders are in it. Put a backup in its place, or recover it with sqlite3: docs/operate.md#a-damaged-file-of-the-bot. To do without, move it aside: \`mv ${error.path} ${error.path}-damaged\`, and the same with -wal and -shm. Reminders are lost then, and settings are fetched again.`;
  }
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'EADDRINUSE') return `${error.message}. Set HEALTH_PORT to another port.`;
    const isOfFile = String(error.code).startsWith('SQLITE_') || ('syscall' in error && error.syscall === 'mkdir');
    if (isOfFile) return `The file of DATABASE_URL cannot be used: ${error.message}`;
  }
  return inspect(errorFields(error), { depth: 12 });
}
