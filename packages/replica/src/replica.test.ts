import type { WatchedEvent } from '@guild-settings/client';
import { type Cursor, DEFAULT_SETTINGS, type Guild, type WatchEvent } from '@guild-settings/contract';
import { temporaryFile, waitUntil } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { Acknowledge } from './acknowledger.ts';
import { Replica } from './replica.ts';
import type { Follow } from './replica-options.ts';

const A = '197038439483310086';
const B = '197038439483310087';
const EPOCH = 'one';

function record(id: string, prefix: string): Guild {
  return { id, name: 'n', icon: null, ...DEFAULT_SETTINGS, prefix };
}

const reset: WatchEvent = { type: 'reset', epoch: EPOCH };
const guild = (id: string, revision: number, prefix: string): WatchEvent => ({
  type: 'guild',
  revision,
  guild: record(id, prefix),
});
const guilds = (...all: readonly (readonly [string, number, string])[]): WatchEvent => ({
  type: 'guilds',
  revision: all.at(-1)?.[1] ?? 0,
  guilds: all.map(([id, revision, prefix]) => ({ revision, guild: record(id, prefix) })),
});
const live = (revision: number): WatchEvent => ({ type: 'live', revision });

/** A service that sends the events of a test. */
function scriptedService() {
  const waiting: ((event: WatchedEvent) => void)[] = [];
  const pending: WatchedEvent[] = [];
  const cursors: (Cursor | undefined)[] = [];
  let disconnect: (error: unknown) => void = () => {};
  const follow: Follow = async function* ({ cursor, signal, onDisconnect }) {
    cursors.push(cursor);
    disconnect = onDisconnect;
    while (!signal.aborted) {
      const next = pending.shift();
      if (next !== undefined) yield next;
      else {
        await new Promise<void>((resolve) => {
          waiting.push(() => resolve());
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      }
    }
  };
  return {
    follow,
    cursors,
    disconnect: () => disconnect(new Error('gone')),
    send(...events: WatchEvent[]) {
      for (const event of events) {
        pending.push({ cursor: { epoch: EPOCH, revision: 'revision' in event ? event.revision : 0 }, event });
      }
      for (const wake of waiting.splice(0)) wake(pending[0] as WatchedEvent);
    },
  };
}

/** Writes the file of a replica that received these events. */
async function writeFile(path: string, ...events: readonly WatchEvent[]): Promise<void> {
  const service = scriptedService();
  const replica = new Replica({ path, follow: service.follow });
  replica.start();
  service.send(...events);
  await waitUntil(() => replica.status.state === 'LIVE');
  await replica.close();
}

describe('a replica', () => {
  test('returns the defaults, frozen, before it has received anything', async () => {
    using file = temporaryFile();
    const replica = new Replica({ path: file.path, follow: scriptedService().follow });
    expect(replica.get(A)).toEqual(DEFAULT_SETTINGS);
    expect([Object.isFrozen(replica.get(A)), Object.isFrozen(replica.get(A).enabledFeatures)]).toEqual([true, true]);
    expect(replica.status).toEqual({ state: 'SYNCING' });
    await replica.close();
  });

  test('stores records and is live after the backlog', async () => {
    using file = temporaryFile();
    const service = scriptedService();
    const replica = new Replica({ path: file.path, follow: service.follow });
    replica.start();
    service.send(reset, guild(A, 1, '?'), guild(B, 2, '#'), live(2));
    await waitUntil(() => replica.status.state === 'LIVE');
    expect([replica.get(A).prefix, replica.get(B).prefix]).toEqual(['?', '#']);
    expect(Object.isFrozen(replica.get(A))).toBe(true);
    expect(replica.metrics).toEqual({
      guilds: 2,
      revision: 2,
      ageMs: 0,
      reconnects: 0,
      reads: 3,
      rejected: 0,
      arrivalMs: Number.NaN,
    });
    await replica.close();
  });

  test('acknowledges once more when nothing has followed a connection, and then not while idle', async () => {
    using file = temporaryFile();
    const service = scriptedService();
    const acknowledged: number[] = [];
    const acknowledge: Acknowledge = async ({ cursor }) => {
      acknowledged.push(cursor.revision);
      return null;
    };
    const replica = new Replica({ path: file.path, follow: service.follow, acknowledge });
    const receives = async (event: WatchEvent, expected: readonly number[]) => {
      service.send(event);
      await waitUntil(() => acknowledged.length >= expected.length);
      expect(acknowledged).toStrictEqual(expected);
    };
    replica.start();
    service.send(reset, guild(A, 1, '?'));
    await receives(live(1), [1]);
    await receives({ type: 'bookmark', revision: 1 }, [1, 1]);
    await receives({ type: 'bookmark', revision: 1 }, [1, 1]);
    await receives(guild(A, 2, '!'), [1, 1, 2]);
    await receives({ type: 'bookmark', revision: 2 }, [1, 1, 2]);
    await receives(live(2), [1, 1, 2, 2]);
    await receives({ type: 'bookmark', revision: 2 }, [1, 1, 2, 2, 2]);
    await replica.close();
    expect(acknowledged).toHaveLength(5);
  });

  test('acknowledges at once after a new connection, however long calls have failed before it', async () => {
    using file = temporaryFile();
    const service = scriptedService();
    let isDown = true;
    const acknowledged: number[] = [];
    const acknowledge: Acknowledge = async ({ cursor }) => {
      acknowledged.push(cursor.revision);
      if (isDown) throw new Error('unavailable');
      return null;
    };
    const replica = new Replica({ path: file.path, follow: service.follow, acknowledge });
    replica.start();
    service.send(reset, guild(A, 1, '?'), live(1));
    // The next call would be made after two seconds.
    await waitUntil(() => acknowledged.length === 3);
    isDown = false;
    service.send(guild(A, 2, '!'), live(2));
    await expect.poll(() => acknowledged, { timeout: 1_000 }).toContain(2);
    await replica.close();
  });

  test('stores a page of records at once, each at its own revision', async () => {
    using file = temporaryFile();
    const service = scriptedService();
    const replica = new Replica({ path: file.path, follow: service.follow });
    replica.start();
    service.send(reset, guilds([A, 2, '?'], [B, 3, '#']), guilds([A, 1, 'old'], [B, 4, '$']), live(4));
    await waitUntil(() => replica.status.state === 'LIVE');
    expect([replica.get(A).prefix, replica.get(B).prefix]).toEqual(['?', '$']);
    expect(replica.metrics).toMatchObject({ guilds: 2, revision: 4 });
    await replica.close();
    const again = new Replica({ path: file.path, follow: service.follow });
    expect([again.get(A), again.get(B)]).toEqual([record(A, '?'), record(B, '$')]);
    expect([Object.isFrozen(again.get(A)), Object.isFrozen(again.get(A).enabledFeatures)]).toEqual([true, true]);
    await again.close();
  });

  test('reads its file and returns settings without the service, and reports since when it is stale', async () => {
    using file = temporaryFile();
    const service = scriptedService();
    const first = new Replica({ path: file.path, follow: service.follow, clock: () => 1_000 });
    first.start();
    service.send(reset, guild(A, 1, '?'), live(1));
    await waitUntil(() => first.status.state === 'LIVE');
    await first.close();

    const dead = scriptedService();
    const second = new Replica({ path: file.path, follow: dead.follow });
    expect(second.get(A).prefix).toBe('?');
    expect(second.status).toEqual({ state: 'STALE', since: new Date(1_000) });
    second.start();
    await waitUntil(() => dead.cursors.length === 1);
    expect(dead.cursors).toEqual([{ epoch: EPOCH, revision: 1 }]);
    await second.close();
  });

  test('is stale from the moment it loses the service, and live again when it has caught up', async () => {
    using file = temporaryFile();
    const service = scriptedService();
    let now = 1_000;
    const replica = new Replica({ path: file.path, follow: service.follow, clock: () => now });
    replica.start();
    service.send(reset, live(0));
    await waitUntil(() => replica.status.state === 'LIVE');
    now = 2_000;
    service.disconnect();
    expect(replica.status).toEqual({ state: 'STALE', since: new Date(2_000) });
    service.send(guild(A, 1, '?'), live(1));
    await waitUntil(() => replica.status.state === 'LIVE');
    expect(replica.metrics.reconnects).toBe(1);
    await replica.close();
  });

  test('continues to follow the service, and is stale meanwhile, when its callbacks throw', async () => {
    using file = temporaryFile();
    const service = scriptedService();
    const fail = () => {
      throw new Error('a callback that fails');
    };
    let connections = 0;
    const follow: Follow = async function* (options) {
      connections += 1;
      if (connections === 1) throw new Error('refused');
      yield* service.follow(options);
    };
    const replica = new Replica({ path: file.path, follow, onError: fail, onListenerError: fail });
    replica.on('change', fail);
    replica.start();
    service.send(reset, guild(A, 1, '1'), live(1));
    await waitUntil(() => replica.status.state === 'LIVE');
    service.disconnect();
    expect(replica.status.state).toBe('STALE');
    service.send(live(2));
    await waitUntil(() => replica.status.state === 'LIVE');
    await replica.close();
  });

  test('is stale from a reset in its stream until the new records are complete', async () => {
    using file = temporaryFile();
    const service = scriptedService();
    const replica = new Replica({ path: file.path, follow: service.follow, clock: () => 3_000 });
    replica.start();
    service.send(reset, guild(A, 1, 'old'), live(1));
    await waitUntil(() => replica.status.state === 'LIVE');
    service.send(reset, guild(A, 2, 'new'));
    await waitUntil(() => replica.metrics.revision === 2);
    expect(replica.status).toEqual({ state: 'STALE', since: new Date(3_000) });
    service.send(live(2));
    await waitUntil(() => replica.status.state === 'LIVE');
    await replica.close();
  });

  test('with an unreadable record in its file accepts a reset, and with it that record', async () => {
    using file = temporaryFile();
    await writeFile(file.path, reset, guild(A, 1, 'old'), guild(B, 2, 'old'), live(2));
    const other = new Database(file.path);
    other.prepare('UPDATE records SET record = ? WHERE guild_id = ?').run('{', A);
    other.close();

    const again = scriptedService();
    const second = new Replica({ path: file.path, follow: again.follow });
    second.start();
    again.send(reset, guild(A, 1, 'new'));
    await waitUntil(() => second.metrics.revision === 1);
    expect(second.get(B).prefix).toBe('old');
    again.send(live(1));
    await waitUntil(() => second.status.state === 'LIVE');
    expect([second.get(A).prefix, second.get(B)]).toEqual(['new', DEFAULT_SETTINGS]);
    expect(second.metrics.guilds).toBe(1);
    await second.close();
  });

  test('does not overwrite a record with an older one', async () => {
    using file = temporaryFile();
    const service = scriptedService();
    const replica = new Replica({ path: file.path, follow: service.follow });
    replica.start();
    service.send(reset, guild(A, 5, 'new'), live(5), guild(A, 3, 'old'), { type: 'bookmark', revision: 6 });
    await waitUntil(() => replica.metrics.revision === 6);
    expect(replica.get(A).prefix).toBe('new');
    await replica.close();
    expect(new Replica({ path: file.path, follow: service.follow }).get(A).prefix).toBe('new');
  });

  test('serves the old records after a reset until the new ones are complete, then the new ones alone', async () => {
    using file = temporaryFile();
    const service = scriptedService();
    const replica = new Replica({ path: file.path, follow: service.follow });
    replica.start();
    service.send(reset, guild(A, 8, 'old'), guild(B, 9, 'old'), live(9));
    await waitUntil(() => replica.status.state === 'LIVE');
    service.send(reset, guild(A, 1, 'new'));
    await waitUntil(() => replica.metrics.revision === 1);
    expect([replica.get(A).prefix, replica.get(B).prefix]).toEqual(['old', 'old']);
    service.send(live(1));
    await waitUntil(() => replica.get(A).prefix === 'new');
    expect(replica.get(B)).toEqual(DEFAULT_SETTINGS);
    await replica.close();
  });

  test('that was stopped during a reset serves the old records, and after it the new ones alone', async () => {
    using file = temporaryFile();
    const service = scriptedService();
    const first = new Replica({ path: file.path, follow: service.follow });
    first.start();
    service.send(reset, guild(A, 8, 'old'), guild(B, 9, 'old'), live(9));
    await waitUntil(() => first.status.state === 'LIVE');
    service.send(reset, guild(A, 1, 'new'));
    await waitUntil(() => first.metrics.revision === 1);
    await first.close();

    const again = scriptedService();
    const second = new Replica({ path: file.path, follow: again.follow });
    expect([second.get(A).prefix, second.get(B).prefix]).toEqual(['old', 'old']);
    second.start();
    again.send(live(1));
    await waitUntil(() => second.status.state === 'LIVE');
    expect([second.get(A).prefix, second.get(B).prefix]).toEqual(['new', DEFAULT_SETTINGS.prefix]);
    await second.close();
  });

  test('whose records were not read since the start returns the newest, and during a reset the old ones', async () => {
    using file = temporaryFile();
    await writeFile(file.path, reset, guild(A, 8, 'old'), guild(B, 9, 'old'), live(9));

    const again = scriptedService();
    const second = new Replica({ path: file.path, follow: again.follow });
    second.start();
    again.send(guild(A, 10, 'newer'), guild(A, 7, 'older'), live(10));
    await waitUntil(() => second.status.state === 'LIVE');
    again.send(reset, guild(B, 1, 'new'));
    await waitUntil(() => second.metrics.revision === 1);
    expect([second.get(A).prefix, second.get(B).prefix]).toEqual(['newer', 'old']);
    again.send(live(1));
    await waitUntil(() => second.get(B).prefix === 'new');
    expect(second.get(A)).toEqual(DEFAULT_SETTINGS);
    await second.close();
  });

  test('changes its memory after the file: a record that could not be written is not served', async () => {
    using file = temporaryFile();
    const service = scriptedService();
    const errors: unknown[] = [];
    const replica = new Replica({ path: file.path, follow: service.follow, onError: (error) => errors.push(error) });
    replica.start();
    service.send(reset, guild(A, 1, 'old'), live(1));
    await waitUntil(() => replica.status.state === 'LIVE');
    const other = new Database(file.path);
    other.exec('BEGIN IMMEDIATE');
    service.send(guild(A, 2, 'new'));
    await waitUntil(() => errors.length === 1);
    expect(replica.get(A).prefix).toBe('old');
    expect(replica.status.state).toBe('STALE');
    other.exec('ROLLBACK');
    other.close();
    // It resumes at the cursor that it has written.
    await waitUntil(() => service.cursors.length === 2);
    expect(service.cursors[1]).toEqual({ epoch: EPOCH, revision: 1 });
    await replica.close();
  });

  test('emits a change with the settings before and after it, when both the file and its memory have it', async () => {
    using file = temporaryFile();
    const service = scriptedService();
    const replica = new Replica({ path: file.path, follow: service.follow });
    const changes: unknown[] = [];
    const remove = replica.on('change', (guildId, before, after) => {
      expect(replica.get(guildId)).toBe(after);
      expect([Object.isFrozen(before), Object.isFrozen(after)]).toEqual([true, true]);
      const other = new Database(file.path, { readonly: true });
      const stored = other.prepare<[string], string>('SELECT record FROM records WHERE guild_id = ?').pluck();
      changes.push([guildId, before.prefix, after.prefix, JSON.parse(stored.get(guildId) ?? '{}').prefix]);
      other.close();
    });
    replica.start();
    service.send(reset, guilds([A, 1, '?'], [B, 2, '!']));
    await waitUntil(() => replica.metrics.revision === 2);
    expect(changes).toEqual([]);
    // The defaults of B are no change.
    service.send(live(2), guild(A, 3, '?'), guild(A, 4, '$'), guild(B, 1, 'old'));
    service.send({ type: 'removed', revision: 5, guild: A }, { type: 'bookmark', revision: 6 });
    await waitUntil(() => replica.metrics.revision === 6);
    expect(changes).toEqual([
      [A, '!', '?', '?'],
      [A, '?', '$', '$'],
      [A, '$', '!', undefined],
    ]);
    remove();
    service.send(guild(A, 7, '#'));
    await waitUntil(() => replica.get(A).prefix === '#');
    expect(changes).toHaveLength(3);
    await replica.close();
  });

  test('emits the changes of a reset at its end, of records that only the file has as well', async () => {
    using file = temporaryFile();
    await writeFile(file.path, reset, guild(A, 8, 'a'), guild(B, 9, 'b'), live(9));
    const service = scriptedService();
    const errors: unknown[] = [];
    const replica = new Replica({
      path: file.path,
      follow: service.follow,
      onListenerError: (error) => errors.push(error),
    });
    const changes: unknown[] = [];
    replica.on('change', () => {
      throw new Error('of a listener');
    });
    replica.on('change', (guildId, before, after) => changes.push([guildId, before.prefix, after.prefix]));
    replica.start();
    service.send(reset, guild(A, 1, 'new'));
    await waitUntil(() => replica.metrics.revision === 1);
    expect(changes).toEqual([]);
    service.send(live(1));
    await replica.waitUntilLive();
    expect(changes).toEqual([
      [A, 'a', 'new'],
      [B, 'b', '!'],
    ]);
    expect(errors).toEqual([new Error('of a listener'), new Error('of a listener')]);
    expect(replica.status).toEqual({ state: 'LIVE' });
    await replica.close();
  });

  test('calls a listener once for each time it was added, and one that adds itself again once for each change', async () => {
    using file = temporaryFile();
    const service = scriptedService();
    const replica = new Replica({ path: file.path, follow: service.follow });
    const again: string[] = [];
    const twice: string[] = [];
    let remove = () => {};
    const addAgain = () => {
      remove();
      remove = replica.on('change', (_guildId, _before, after) => {
        again.push(after.prefix);
        // Without a limit, a listener that is called for the change that it was added in would block the process.
        if (again.length < 10) addAgain();
      });
    };
    addAgain();
    const listener = (_guildId: string, _before: unknown, after: { readonly prefix: string }) => {
      twice.push(after.prefix);
    };
    const removeFirst = replica.on('change', listener);
    replica.on('change', listener);
    replica.start();
    service.send(reset, live(0), guild(A, 1, '?'));
    await waitUntil(() => replica.get(A).prefix === '?');
    removeFirst();
    service.send(guild(A, 2, '$'));
    await waitUntil(() => replica.get(A).prefix === '$');
    expect([again, twice]).toEqual([
      ['?', '$'],
      ['?', '?', '$'],
    ]);
    await replica.close();
  });

  test('can be waited for until it is live, until a signal aborts, and until it is closed', async () => {
    using file = temporaryFile();
    const service = scriptedService();
    const replica = new Replica({ path: file.path, follow: service.follow });
    expect(replica.metrics.ageMs).toBeNaN();
    replica.start();
    await expect(replica.waitUntilLive({ signal: AbortSignal.timeout(5) })).rejects.toThrow('aborted');
    const live1 = replica.waitUntilLive({ signal: new AbortController().signal });
    service.send(reset, live(1));
    await live1;
    expect(replica.metrics.ageMs).toBe(0);
    await replica.waitUntilLive();
    service.disconnect();
    expect(replica.metrics.ageMs).toBeGreaterThanOrEqual(0);
    const aborted = expect(replica.waitUntilLive()).rejects.toThrow('aborted');
    await replica.close();
    await aborted;
  });
});
