import { createRedactor, logRedaction, type Redactor, urlSecrets } from '@guild-settings/runtime/log';
import type { Config } from '../config.ts';

const OWN_REQUEST_ID = /"reqId":"[\da-f]{8}-[\da-f-]{27}"/;

const MAX_TOKENS = 50;

/** Creates the redactor of the log. It knows the secrets of the configuration, and access tokens once they are used. */
export function apiRedactor({ database, discord, page }: Pick<Config, 'database' | 'discord' | 'page'>): Redactor {
  const passwords = database.kind === 'postgres' ? urlSecrets([database.url]) : [];
  const secrets = [...passwords, discord.botToken, page?.clientSecret].filter((secret) => secret !== undefined);
  return createRedactor({ secrets, maxAdded: MAX_TOKENS });
}

export function logOptions(redactor: Redactor) {
  const { serializers, hooks } = logRedaction(redactor);
  return {
    // Fastify's type names the fields that every error has.
    serializers: serializers as { err: (error: unknown) => { type: string; message: string; stack: string } },
    hooks: {
      // The line of a request consists of fields without secrets (see `recordRequest`), except an id that the client chose.
      streamWrite: (line: string) =>
        line.endsWith('"msg":"request"}\n') && OWN_REQUEST_ID.test(line) ? line : hooks.streamWrite(line),
    },
  };
}
