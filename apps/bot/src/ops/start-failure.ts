import { inspect } from 'node:util';
import { EnvironmentError } from '@guild-settings/environment';
import { errorFields } from '@guild-settings/log-redaction';
import { FileInUseError } from '../database/hold-file.ts';
import { LoginRefusedError } from '../discord/gateway-client.ts';

/** What kept the bot from starting, for the person who starts it: a line to act on, or else what the log keeps of errors. */
export function explainStartFailure(error: unknown): string {
  if (error instanceof EnvironmentError || error instanceof LoginRefusedError || error instanceof FileInUseError)
    return error.message;
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'EADDRINUSE') return `${error.message}. Set HEALTH_PORT to another port.`;
    const isOfFile = String(error.code).startsWith('SQLITE_') || ('syscall' in error && error.syscall === 'mkdir');
    if (isOfFile) return `The file of DATABASE_URL cannot be used: ${error.message}`;
  }
  return inspect(errorFields(error), { depth: 12 });
}
