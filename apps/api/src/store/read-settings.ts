import type { SetValues } from '@guild-settings/contract';
import type { DatabaseConfig } from '@guild-settings/runtime/environment';
import type { DeclarationStore } from './store.ts';

/** The set values of all guilds, read from a database that a service may be using. */
export interface SettingsReader extends Pick<DeclarationStore, 'readDeclaration'> {
  all(): AsyncIterable<SetValues>;
  close(): Promise<void>;
}

const BATCH = 1_000;

export async function openSettingsReader(database: DatabaseConfig): Promise<SettingsReader> {
  return database.kind === 'sqlite' ? openSqlite(database.path) : openPostgres(database.url);
}

async function openSqlite(path: string): Promise<SettingsReader> {
  const [{ default: Database }, { drizzle }, { openDeclarations }] = await Promise.all([
    import('better-sqlite3'),
    import('drizzle-orm/better-sqlite3'),
    import('./sqlite/declarations.ts'),
  ]);
  const client = new Database(path, { readonly: true, fileMustExist: true });
  const { readDeclaration } = openDeclarations(drizzle({ client }));
  const read = client.prepare<[string, number], { id: string; settings: string }>(
    'SELECT id, settings FROM guilds WHERE id > ? ORDER BY id LIMIT ?',
  );
  return {
    readDeclaration,
    async *all() {
      yield* batches(async (after) =>
        read.all(after, BATCH).map(({ id, settings }) => ({ id, settings: JSON.parse(settings) as SetValues })),
      );
    },
    async close() {
      client.close();
    },
  };
}

async function openPostgres(url: string): Promise<SettingsReader> {
  const [{ openPool }, { openDeclarations }, { guilds }, { asc, gt }] = await Promise.all([
    import('./postgres/database.ts'),
    import('./postgres/declarations.ts'),
    import('./postgres/schema.ts'),
    import('drizzle-orm'),
  ]);
  const db = openPool(url);
  const { readDeclaration } = openDeclarations(db);
  const columns = { id: guilds.id, settings: guilds.settings };
  return {
    readDeclaration,
    async *all() {
      yield* batches(async (after) =>
        db.select(columns).from(guilds).where(gt(guilds.id, after)).orderBy(asc(guilds.id)).limit(BATCH),
      );
    },
    close: () => db.$client.end(),
  };
}

async function* batches(
  readAfter: (id: string) => Promise<readonly { readonly id: string; readonly settings: SetValues }[]>,
): AsyncGenerator<SetValues, void> {
  let after = '';
  for (;;) {
    const rows = await readAfter(after);
    for (const { settings } of rows) yield settings;
    if (rows.length < BATCH) return;
    after = rows.at(-1)?.id ?? after;
  }
}
