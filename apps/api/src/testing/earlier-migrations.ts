import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';

/** Migrations of an earlier version of the service, in a temporary folder. */
export interface EarlierMigrations extends AsyncDisposable {
  readonly folder: string;
}

interface Journal {
  readonly entries: readonly { readonly tag: string }[];
}

const folderOf = (store: 'sqlite' | 'postgres') =>
  fileURLToPath(new URL(`../store/${store}/migrations`, import.meta.url));

/** Returns the tags of a store's migrations, the oldest first. */
export async function migrationTags(store: 'sqlite' | 'postgres'): Promise<string[]> {
  const { entries } = JSON.parse(await readFile(`${folderOf(store)}/meta/_journal.json`, 'utf8')) as Journal;
  return entries.map(({ tag }) => tag);
}

/** Copies the migrations of a store up to, and without, the one with this tag. */
export async function migrationsBefore(store: 'sqlite' | 'postgres', tag: string): Promise<EarlierMigrations> {
  const folder = await mkdtemp(join(tmpdir(), 'guild-settings-migrations-'));
  await cp(folderOf(store), folder, { recursive: true });
  const path = `${folder}/meta/_journal.json`;
  const journal = JSON.parse(await readFile(path, 'utf8')) as Journal;
  const count = journal.entries.findIndex((entry) => entry.tag === tag);
  await writeFile(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

/** Migrates a PostgreSQL database with the migrations of a folder. */
export async function migrateWith(url: string, migrationsFolder: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await migrate(drizzle(client), { migrationsFolder });
  await client.end();
}

/** Returns the name of the view that a migration creates for the version before it, and the names that it gives to columns. */
export async function viewForVersionBefore(
  store: 'sqlite' | 'postgres',
  tag: string,
): Promise<{ readonly name: string; readonly renamedColumns: readonly string[] }> {
  const migration = await readFile(`${folderOf(store)}/${tag}.sql`, 'utf8');
  const [view = '', name = ''] = /CREATE VIEW ["`](\w+)["`] AS SELECT .*/.exec(migration) ?? [];
  return { name, renamedColumns: [...view.matchAll(/ AS ["`](\w+)["`]/g)].map(([, column = '']) => column) };
}
