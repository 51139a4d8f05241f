import { resolve } from 'node:path';
import { z } from 'zod';
import { filePathOf } from './variables.ts';

/** The store, and where its data is. */
export type DatabaseConfig =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** The URL of the database: `file:<path>` or `postgres://...`, which holds a password. */
export const DatabaseUrl = z
  .string()
  .regex(
    /^(file:.+|postgres(ql)?:\/\/.+)/,
    'expected file:<path>, such as file:./data/guild-settings.db, or postgres://<user>:<password>@<host>/<database>',
  )
  .refine((url) => url.startsWith('file:') || URL.canParse(url), 'expected a valid postgres:// URL')
  .transform(
    (url): DatabaseConfig =>
      url.startsWith('file:') ? { kind: 'sqlite', path: filePathOf(url) } : { kind: 'postgres', url },
  )
  .meta({ isSecret: true });

/** Returns the kind and the place of a database, without user and password. */
export function databaseName(database: DatabaseConfig): string {
  if (database.kind === 'sqlite') return `SQLite ${resolve(database.path)}`;
  const { host, pathname } = new URL(database.url);
  return `PostgreSQL ${host}${pathname}`;
}
