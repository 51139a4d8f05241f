import { errorFields } from './error-fields.ts';
import type { Redactor } from './redactor.ts';

/** The part of pino's options that keeps secrets out of its lines. */
export interface LogRedaction {
  readonly serializers: { readonly err: (error: unknown) => unknown; readonly error: (error: unknown) => unknown };
  readonly hooks: { readonly streamWrite: (line: string) => string };
}

/**
 * Returns options for pino that remove the requests that libraries attach to errors, and the secrets in every finished line.
 * @example
 * const redactor = createRedactor({ secrets: [config.discord.clientSecret] });
 * const logger = pino({ level: config.logLevel, ...logRedaction(redactor) });
 */
export function logRedaction(redactor: Redactor): LogRedaction {
  return {
    serializers: { err: errorFields, error: errorFields },
    hooks: { streamWrite: (line) => redactor.redact(line) },
  };
}
