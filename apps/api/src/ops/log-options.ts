import { createRedactor, logRedaction, type Redactor } from '@guild-settings/log-redaction';
import type { Config } from '../config.ts';
import { secretsIn } from './redact.ts';

/** A request id that the service made. */
const OWN_REQUEST_ID = /"reqId":"[\da-f]{8}-[\da-f-]{27}"/;

/** Access tokens in use that the redactor knows by their values. */
const MAX_TOKENS = 50;

/** Makes the redactor of an api's log: it knows the passwords of the configuration, and tokens as they are used. */
export function apiRedactor({ database }: Pick<Config, 'database'>): Redactor {
  const secrets = database.kind === 'postgres' ? secretsIn([database.url]) : [];
  return createRedactor({ secrets, maxAdded: MAX_TOKENS });
}

/** Options of the log, as Fastify and pino take them: no line holds a secret. */
export function logOptions(redactor: Redactor) {
  const { serializers, hooks } = logRedaction(redactor);
  return {
    // The fields that Fastify's type names are those that every error has.
    serializers: serializers as { err: (error: unknown) => { type: string; message: string; stack: string } },
    hooks: {
      // The line of a request is made of fields that hold none (see `recordRequest`), but for an id that the client chose.
      streamWrite: (line: string) =>
        line.endsWith('"msg":"request"}\n') && OWN_REQUEST_ID.test(line) ? line : hooks.streamWrite(line),
    },
  };
}
