import { KeyvSqlite } from '@resolid/keyv-sqlite';
import Enmap from 'enmap';
import Keyv from 'keyv';
import { QuickDB, SqliteDriver } from 'quick.db';

/** Writes values as a bot with Keyv does. */
export async function writeKeyv(
  path: string,
  values: Readonly<Record<string, unknown>>,
  options: { readonly namespace?: string; readonly ttl?: number } = {},
): Promise<void> {
  const store = new KeyvSqlite({ uri: path });
  const keyv = new Keyv({ store, ...(options.namespace !== undefined && { namespace: options.namespace }) });
  store.sqlite.exec('BEGIN');
  for (const [key, value] of Object.entries(values)) await keyv.set(key, value, options.ttl);
  store.sqlite.exec('COMMIT');
  await keyv.disconnect();
}

/** Writes values as a bot with quick.db 9 does. */
export async function writeQuickDb(path: string, values: Readonly<Record<string, unknown>>): Promise<void> {
  const driver = new SqliteDriver(path);
  const db = new QuickDB({ driver });
  await db.init();
  for (const [key, value] of Object.entries(values)) await db.set(key, value);
  driver.database.close();
}

/** Writes values as a bot with Enmap 6 does, into `enmap.sqlite` of a folder. */
export function writeEnmap(folder: string, name: string, values: Readonly<Record<string, unknown>>): string {
  const enmap = new Enmap({ name, dataDir: folder });
  for (const [key, value] of Object.entries(values)) enmap.set(key, value);
  enmap.db.close();
  return `${folder}/enmap.sqlite`;
}
