import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import type { GuildId } from '@guild-settings/contract';
import Database from 'better-sqlite3';
import { test } from 'vitest';
import { DEFAULT_STATE } from '../../../apps/api/src/domain/record.ts';
import type { ErasureLedger } from '../../../apps/api/src/store/erasure/erasure-ledger.ts';
import type {
  ApplyCommand,
  Change,
  GuildState,
  GuildWrite,
  StoreCommand,
} from '../../../apps/api/src/store/guild-store.ts';
import { migratePostgres } from '../../../apps/api/src/store/postgres/database.ts';
import { openPostgresStore } from '../../../apps/api/src/store/postgres/postgres-store.ts';
import type { NewDatabase } from '../../../apps/api/src/store/sqlite/admit-file.ts';
import { openDatabase } from '../../../apps/api/src/store/sqlite/database.ts';
import { openSqliteStore } from '../../../apps/api/src/store/sqlite/sqlite-store.ts';
import type { Pruned, PruneLimits, Store } from '../../../apps/api/src/store/store.ts';
import { queryPostgres, type TestPostgres, temporaryFile } from './index.ts';

export const A = '197038439483310086';
export const B = '197038439483310087';
export const NEVER_SEEN = '9999999999999999999';

export const CHANGE: Change = {
  at: 1_000,
  actor: { kind: 'user', id: '53908099506183680' },
  origin: 'rest',
  reason: null,
  before: {},
  after: {},
};

/** The error with which the tests' interpreter refuses a command. */
export const REFUSAL = new Error('refused');

type TestCommand = StoreCommand &
  (
    | { readonly kind: 'nothing' }
    | { readonly kind: 'prefix'; readonly value: string; readonly at: number }
    | { readonly kind: 'append'; readonly text: string }
    /** Adds one to a number that is stored as the prefix. */
    | { readonly kind: 'increment' }
    | { readonly kind: 'presence'; readonly value: 'present' | 'left'; readonly leftAt: number | null }
    | { readonly kind: 'put'; readonly next: GuildState }
    /** Sets the prefix, but is refused for one guild; with `where`, only while that is its prefix. */
    | { readonly kind: 'refuse'; readonly guildId: GuildId; readonly where?: string; readonly value: string }
    | { readonly kind: 'erase'; readonly at: number }
    /** Writes the interpreter's input into the announcement channel. */
    | { readonly kind: 'echo' }
  );

export type TestStore = Store<TestCommand>;

export const nothing = (guildIds: readonly GuildId[]): TestCommand => ({ kind: 'nothing', guildIds });
export const prefix = (guildIds: readonly GuildId[], value: string, at = 1_000): TestCommand => ({
  kind: 'prefix',
  guildIds,
  value,
  at,
});
export const erase = (guildIds: readonly GuildId[], at = 1_000): TestCommand => ({ kind: 'erase', guildIds, at });
export const increment = (guildIds: readonly GuildId[]): TestCommand => ({ kind: 'increment', guildIds });
export const presence = (
  guildIds: readonly GuildId[],
  value: 'present' | 'left',
  leftAt: number | null = null,
): TestCommand => ({ kind: 'presence', guildIds, value, leftAt });

const applyTestCommand: ApplyCommand<TestCommand> = (command, { stored, guildId }) => {
  const state = stored ?? DEFAULT_STATE;
  const set = (settings: Partial<GuildState['settings']>, at = 1_000): GuildWrite => {
    const before = Object.fromEntries(Object.keys(settings).map((name) => [name, Reflect.get(state.settings, name)]));
    return {
      next: { ...state, settings: { ...state.settings, ...settings } },
      change: { ...CHANGE, at, before, after: settings },
    };
  };
  switch (command.kind) {
    case 'nothing':
      return null;
    case 'prefix':
      return set({ prefix: command.value }, command.at);
    case 'append':
      return set({ prefix: `${state.settings.prefix ?? '!'}${command.text}` });
    case 'increment':
      return set({ prefix: String(Number(stored?.settings.prefix ?? 0) + 1) });
    case 'presence':
      return { next: { ...state, presence: command.value, leftAt: command.leftAt }, change: CHANGE };
    case 'put':
      return { next: command.next, change: CHANGE };
    case 'refuse':
      if (guildId === command.guildId && (command.where ?? stored?.settings.prefix) === stored?.settings.prefix) {
        throw REFUSAL;
      }
      return set({ prefix: command.value });
    case 'erase':
      return { erasedAt: command.at };
    case 'echo':
      return set({ announcement_channel: `${guildId} ${stored?.settings.prefix} ${stored?.revision}` });
  }
};

export function openTestSqlite(path: string, newDatabase?: NewDatabase, ledger?: ErasureLedger): TestStore {
  return openSqliteStore(path, applyTestCommand, { newDatabase, ledger });
}

export function openTestPostgres(
  url: string,
  onCommit = () => {},
  ledger?: ErasureLedger,
  notificationTimeoutMs = 60_000,
): Promise<TestStore> {
  return openPostgresStore(url, {
    apply: applyTestCommand,
    onCommit,
    onWarning: () => {},
    onNotifications: () => {},
    ledger,
    notificationTimeoutMs,
  });
}

/** Repeats slices until no expired data is left. */
export async function pruneAll(store: Store, limits: PruneLimits, onSlice = () => {}): Promise<Pruned> {
  const total = { changes: 0, guilds: 0 };
  for (;;) {
    const { changes, guilds, isDone } = await store.prune(limits);
    total.changes += changes;
    total.guilds += guilds;
    if (isDone) return total;
    onSlice();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** A store for a single test; `reopen` closes it and opens the same data again. */
export interface StoreResource extends AsyncDisposable {
  readonly store: TestStore;
  reopen(): Promise<TestStore>;
}

async function openReopenable(open: () => TestStore | Promise<TestStore>): Promise<StoreResource> {
  let store = await open();
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= store.close();
    return closed;
  };
  return {
    store: { ...store, close },
    async reopen() {
      await close();
      store = await open();
      closed = undefined;
      return store;
    },
    [Symbol.asyncDispose]: close,
  };
}

/** A store whose database a test also reads and fills directly. */
export interface OpenDatabase extends StoreResource {
  /** Runs a statement of the SQL that both stores understand; returns its rows. */
  query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** Returns the stores by their names, each with a function that opens an empty one. */
export function storesOn(server: TestPostgres): readonly (readonly [string, () => Promise<OpenDatabase>])[] {
  return [
    ['SQLite', openSqlite],
    ['PostgreSQL', () => openPostgres(server)],
  ];
}

async function openPostgres(server: TestPostgres): Promise<OpenDatabase> {
  const url = await migratedDatabase(server);
  const resource = await openReopenable(() => openTestPostgres(url));
  return { ...resource, query: (sql) => queryPostgres(url, sql) };
}

async function openSqlite(): Promise<OpenDatabase> {
  const file = temporaryFile();
  const resource = await openReopenable(() => openTestSqlite(file.path));
  return {
    ...resource,
    async query(sql) {
      const db = new Database(file.path);
      try {
        const statement = db.prepare<[], Record<string, unknown>>(sql);
        if (statement.reader) return statement.all();
        statement.run();
        return [];
      } finally {
        db.close();
      }
    },
    async [Symbol.asyncDispose]() {
      await resource[Symbol.asyncDispose]();
      file[Symbol.dispose]();
    },
  };
}

export function storeTest<Resource extends StoreResource>(open: () => Promise<Resource>) {
  return test.extend<{ resource: Resource; store: TestStore }>({
    resource: fixture(open),
    store: ({ resource }, use) => use(resource.store),
  });
}

/** Returns a fixture for `test.extend`: opened for a test that uses it, and disposed of after the test. */
export function fixture<T extends AsyncDisposable | Disposable>(open: () => T | Promise<T>) {
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of other fixtures from the pattern.
  return async ({}, use: (opened: T) => Promise<void>): Promise<void> => {
    await using opened = await open();
    await use(opened);
  };
}

/** A store of one process on a PostgreSQL database, closed at the end of its scope. */
interface PostgresProcess extends AsyncDisposable {
  readonly store: TestStore;
  readonly notifications: () => number;
}

/** Migrated databases to copy, by server: a migration takes longer than most tests. */
const templates = new WeakMap<TestPostgres, Promise<string>>();

/** Creates an empty, migrated database. Returns its URL. */
export async function migratedDatabase(server: TestPostgres): Promise<string> {
  const template = templates.get(server) ?? migrate(server);
  templates.set(server, template);
  return server.createDatabase(await template);
}

async function migrate(server: TestPostgres): Promise<string> {
  const url = await server.createDatabase();
  await migratePostgres(url);
  return url;
}

/** Opens a store like a process of the api. */
export async function openProcess(url: string): Promise<PostgresProcess> {
  let count = 0;
  const store = await openTestPostgres(url, () => {
    count += 1;
  });
  return { store, notifications: () => count, [Symbol.asyncDispose]: () => store.close() };
}

let migrated: Buffer | undefined;

/** Writes an empty, migrated database to a path, which takes a fraction of the time of migrating a new one. */
export function writeMigratedFile(path: string): void {
  migrated ??= readMigratedFile();
  writeFileSync(path, migrated, { mode: 0o600 });
}

function readMigratedFile(): Buffer {
  using file = temporaryFile();
  openDatabase(file.path).$client.close();
  return readFileSync(file.path);
}

/**
 * Overwrites a page of a closed database: the one with this number, or the first one of the table or index with this
 * name.
 */
export function damagePage(path: string, which: number | string): void {
  const db = new Database(path, { readonly: true });
  const rootOf = db.prepare<[string], number>('SELECT rootpage FROM sqlite_master WHERE name = ?').pluck();
  const page = typeof which === 'number' ? which : rootOf.get(which);
  const pageBytes = db.pragma('page_size', { simple: true }) as number;
  db.close();
  if (page === undefined) throw new Error(`Expected a table or index ${which}, found none`);
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, (page - 1) * pageBytes);
  closeSync(file);
}

interface ChangeRow {
  readonly revision: number;
  readonly guild_id: string;
  readonly at: number;
  readonly actor_kind: string;
  readonly actor_id: string;
  readonly origin: string;
  readonly reason: string | null;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** Reads the change log after a revision, by default all of it, from the database file of a running service. */
export function readChanges({ databasePath }: { readonly databasePath: string }, after = 0): ChangeRow[] {
  const db = new Database(databasePath, { readonly: true });
  try {
    const rows = db.prepare('SELECT * FROM changes WHERE revision > ? ORDER BY revision').all(after) as (Omit<
      ChangeRow,
      'before' | 'after'
    > & {
      before: string;
      after: string;
    })[];
    return rows.map((row) => ({
      ...row,
      before: JSON.parse(row.before),
      after: JSON.parse(row.after),
    }));
  } finally {
    db.close();
  }
}
