import { once } from 'node:events';
import { DEFAULT_SETTINGS } from '@guild-settings/contract';
import { type Follow, Replica } from '@guild-settings/replica';
import { temporaryFile } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { reminderOf } from '../testing/delivery-desk.ts';
import { EARLIER_GUILD, VERSIONS, writeEarlierFile } from '../testing/earlier-bot-file.ts';
import { openReminders } from './reminders.ts';

/** Opens a file with a service that sends all records after a call of `finish`. */
function openReplica(path: string) {
  let cursor: unknown = 'not connected';
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const follow: Follow = async function* (options) {
    cursor = options.cursor;
    await Promise.race([finished, once(options.signal, 'abort')]);
    if (options.signal.aborted) return;
    const epoch = 'three';
    const guild = { id: EARLIER_GUILD, name: 'n', icon: null, ...DEFAULT_SETTINGS, prefix: '%' };
    yield { cursor: { epoch, revision: 0 }, event: { type: 'reset', epoch } };
    yield { cursor: { epoch, revision: 1 }, event: { type: 'guild', revision: 1, guild } };
    yield { cursor: { epoch, revision: 1 }, event: { type: 'live', revision: 1 } };
  };
  const replica = new Replica({ path, follow });
  replica.start();
  return { replica, finish, cursor: () => cursor };
}

function expectReminders(path: string, version: number): void {
  const reminders = openReminders(path);
  const held = reminders.of(EARLIER_GUILD, '1200000000000000002');
  if (version >= VERSIONS.reminders) {
    expect(held).toMatchObject([
      { id: 7, text: 'tea', dueAt: 9_000, nextTryAt: 9_000, nonce: 'n', every: { kind: 'daily', hour: 9, minute: 0 } },
    ]);
    expect(reminders.nextDue(9_000, [])?.id).toBe(7);
    const added = reminders.add(reminderOf())?.id ?? 0;
    expect(added).toBeGreaterThan(7);
    reminders.cancel(reminderOf().guildId, 'any', added);
  } else expect(held).toEqual([]);
  reminders.close();
}

test.each([1, 2, 3, 4])(
  'a file of version %i of the bot keeps records and reminders, and all records are fetched again behind them',
  async (version) => {
    using file = temporaryFile();
    writeEarlierFile(file.path, version);
    const { replica, finish, cursor } = openReplica(file.path);
    expect(replica.get(EARLIER_GUILD).prefix).toBe('?');
    // Earlier versions did not keep unknown fields of records.
    expect(cursor()).toBeUndefined();
    expect(replica.status).toEqual({ state: 'STALE', since: new Date(1_000) });
    expectReminders(file.path, version);
    finish();
    await replica.waitUntilLive();
    expect(replica.get(EARLIER_GUILD).prefix).toBe('%');
    await replica.close();
    expectReminders(file.path, version);
  },
);

test.each([1, 2, 3, 4])(
  'a bot that was killed between the two migrations of a file of version %i goes on',
  async (version) => {
    using file = temporaryFile();
    writeEarlierFile(file.path, version);
    await openReplica(file.path).replica.close();
    const other = new Database(file.path, { readonly: true });
    expect(other.prepare("SELECT name FROM sqlite_schema WHERE name = '__reminders_migrations'").all()).toEqual([]);
    other.close();
    const { replica } = openReplica(file.path);
    expect(replica.get(EARLIER_GUILD).prefix).toBe('?');
    expectReminders(file.path, version);
    await replica.close();
  },
);
