import type { z } from 'zod';
import { urlSecrets } from '../log/url-secrets.ts';
import { type Env, readSecretFiles } from './secret-files.ts';
import { notesOf } from './variable-notes.ts';

/** Returns the secrets of the environment and of the files that it names, for messages of programs that failed to start. */
export function environmentSecrets(variables: z.ZodRawShape, env: Env): string[] {
  const { env: values } = readSecretFiles(variables, env);
  const secrets = Object.entries(variables).flatMap(([key, schema]) => {
    const { isSecret, isHidden } = notesOf(schema as z.ZodType);
    const value = values[key] ?? '';
    if (value.includes('://') || !isSecret) return isSecret || isHidden ? urlSecrets([value]) : [];
    // Some variables hold several secrets. A path is none.
    return value.startsWith('file:') ? [] : value.split(',');
  });
  return [...secrets, values.PGPASSWORD ?? ''].filter((secret) => secret !== '');
}
