import { errorFields } from './error-fields.ts';
import type { Redactor } from './redactor.ts';

/** The part of pino's options that keeps secrets out of its lines. */
export interface LogRedaction {
  readonly serializers: { readonly err: (error: unknown) => unknown; readonly error: (error: unknown) => unknown };
  readonly hooks: { readonly streamWrite: (line: string) => string };
}

/**
 * Options for pino: errors lose the requests that libraries hang on them, and every finished line loses its secrets,
 * wherever in the line they are.
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
