import type { GuildId } from '@guild-settings/contract';
import { DEFAULT_STATE } from '../domain/default-state.ts';
import type { ErasureLedger } from '../store/erasure/erasure-ledger.ts';
import type { ApplyCommand, Change, GuildState, GuildWrite, StoreCommand } from '../store/guild-store.ts';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import type { NewDatabase } from '../store/sqlite/admit-file.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Pruned, PruneLimits, Store } from '../store/store.ts';

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

/** The error by which the interpreter of the tests refuses a command. */
export const REFUSAL = new Error('refused');

/** Commands for tests of a store. */
export type TestCommand = StoreCommand &
  (
    | { readonly kind: 'nothing' }
    /** Sets the prefix. */
    | { readonly kind: 'prefix'; readonly value: string; readonly at: number }
    /** Appends to the prefix. */
    | { readonly kind: 'append'; readonly text: string }
    /** Adds one to a number that is kept as the prefix. */
    | { readonly kind: 'increment' }
    | { readonly kind: 'presence'; readonly value: 'present' | 'left'; readonly leftAt: number | null }
    | { readonly kind: 'put'; readonly next: GuildState }
    /** Sets the prefix, but is refused for one guild; with `where`, only while its prefix is that. */
    | { readonly kind: 'refuse'; readonly guildId: GuildId; readonly where?: string; readonly value: string }
    /** Erases the guilds. */
    | { readonly kind: 'erase'; readonly at: number }
    /** Writes what the interpreter received into the announcement channel. */
    | { readonly kind: 'echo' }
  );

/** Store that accepts the commands of the tests. */
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

/** Opens a SQLite file as a store for the commands of the tests. */
export function openTestSqlite(path: string, newDatabase?: NewDatabase, ledger?: ErasureLedger): TestStore {
  return openSqliteStore(path, applyTestCommand, { newDatabase, ledger });
}

/** Opens a PostgreSQL database as a store for the commands of the tests. */
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

/** Repeats slices until nothing is due. */
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
