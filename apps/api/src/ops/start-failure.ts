import { ConfigError } from '../config.ts';
import { ProgramOptionsError } from '../program-options.ts';
import { StoreUnavailableError } from '../store/store.ts';

/** What kept the service from starting, for the person who starts it: a line to act on, or else the whole error. */
export function explainStartFailure(error: unknown): unknown {
  const expected = [ConfigError, ProgramOptionsError, StoreUnavailableError];
  if (error instanceof Error && expected.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'EADDRINUSE') return `${error.message}. Stop what listens there, or set PORT to another port.`;
    if (error.code === 'EACCES')
      return `${error.message}. Set PORT to a port above 1023, or HOST to an address of yours.`;
  }
  return error;
}
