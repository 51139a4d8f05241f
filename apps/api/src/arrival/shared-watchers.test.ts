import { EventEmitter, once } from 'node:events';
import type { Shard } from '@guild-settings/contract';
import { startTestPostgres, waitUntil } from '@guild-settings/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { SYSTEM_CLOCK } from '../clock.ts';
import { migratedDatabase, openProcess } from '../testing/postgres-resource.ts';
import type { TestStore } from '../testing/store-commands.ts';
import { CommitTimes } from './commit-times.ts';
import { SharedWatchers } from './shared-watchers.ts';
import type { Watcher } from './watcher.ts';
import { Watchers } from './watchers.ts';

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

/** The watchers of one process, whose messages `send` delivers. */
function share(store: TestStore, send: (message: string) => void, delayed: Partial<TestStore> = {}) {
  const watchers = new Watchers(SYSTEM_CLOCK, new CommitTimes(), () => {});
  const shared = new SharedWatchers({
    store: { ...store, ...delayed, broadcast: async (message) => send(message) },
    clock: SYSTEM_CLOCK,
    watchers,
    onState: async () => {},
    onError: (error) => {
      throw error;
    },
  });
  return { watchers, shared };
}

test('a process that stops while its new watcher is read from the database leaves a watcher that is away', async () => {
  const url = await migratedDatabase(server);
  await using one = await openProcess(url);
  await using other = await openProcess(url);
  let read = () => {};
  const isRead = new Promise<void>((resolve) => {
    read = resolve;
  });
  const staying = share(one.store, () => {}, {
    async readWatchers() {
      await isRead;
      return one.store.readWatchers();
    },
  });
  const stopping = share(other.store, (message) => staying.shared.receive(message));
  const { watcher } = stopping.watchers.register({ id: 'a', name: 'a', shards: [{ id: 0, count: 1 }] });
  stopping.shared.opened(watcher);
  await stopping.shared.save(watcher);
  await stopping.shared.publish(watcher);
  await stopping.shared.close();
  read();
  await staying.shared.close();
  expect(staying.watchers.get('a')).toMatchObject({ hasStream: false, leftAtMs: expect.any(Number) });
});

test('a watcher that registers keeps its shards when another process tells meanwhile of its former ones', async () => {
  const url = await migratedDatabase(server);
  await using one = await openProcess(url);
  await using other = await openProcess(url);
  const events = new EventEmitter();
  const here = share(one.store, () => {}, {
    async saveWatchers(rows) {
      await once(events, 'save');
      await one.store.saveWatchers(rows);
    },
    async readWatchers() {
      const rows = await one.store.readWatchers();
      setImmediate(() => events.emit('read'));
      return rows;
    },
  });
  const there = share(other.store, (message) => here.shared.receive(message));
  const { watcher: former } = there.watchers.register({ id: 'a', name: 'a', shards: [{ id: 0, count: 2 }] });
  there.shared.opened(former);
  await there.shared.register(former);
  const { watcher } = here.watchers.register({ id: 'a', name: 'a', shards: [{ id: 1, count: 2 }] });
  here.shared.opened(watcher);
  const registered = here.shared.register(watcher);
  const read = once(events, 'read');
  await there.shared.publish(former);
  await read;
  events.emit('save');
  await registered;
  expect(watcher.shards).toStrictEqual([{ id: 1, count: 2 }]);
  expect(await one.store.readWatchers()).toMatchObject([{ shards: [{ id: 1, count: 2 }] }]);
  await there.shared.close();
  await here.shared.close();
});

test('a connection that was given up while its watcher was stored does not change the position', async () => {
  const url = await migratedDatabase(server);
  await using one = await openProcess(url);
  const { watchers, shared } = share(one.store, () => {});
  const { watcher } = watchers.register({ id: 'a', name: 'a', shards: [{ id: 0, count: 1 }] });
  await shared.register(watcher);
  watcher.epoch = 'one';
  watcher.acknowledge(1, [], 0);
  const { generation } = watcher;
  await shared.register(watcher, AbortSignal.abort());
  expect([watcher.generation, watcher.revision, watcher.epoch]).toEqual([generation, 1, 'one']);
  await shared.close();
});

describe('a watcher that has connected to another process with other shards keeps them in every process, when the row of', () => {
  const FORMER = [{ id: 0, count: 2 }];
  const PRESENT = [{ id: 1, count: 2 }];

  /** Two processes that receive each other's messages once they are connected, and a store that writes rows of `there` late. */
  async function twoProcesses() {
    const url = await migratedDatabase(server);
    const [one, other] = [await openProcess(url), await openProcess(url)];
    const events = new EventEmitter();
    let isConnected = false;
    let isLate = false;
    // Later, as by a network: each answers the first message of the other.
    const sendTo = (to: () => ReturnType<typeof share>) => (message: string) => {
      if (isConnected) setImmediate(() => to().shared.receive(message));
    };
    const there = share(
      other.store,
      sendTo(() => here),
      {
        async saveWatchers(rows) {
          if (isLate) await once(events, 'save');
          await other.store.saveWatchers(rows);
        },
      },
    );
    const here = share(
      one.store,
      sendTo(() => there),
    );
    return {
      here,
      there,
      connect: () => {
        isConnected = true;
      },
      delayRows: () => {
        isLate = true;
      },
      writeRows: () => {
        isLate = false;
        events.emit('save');
      },
      rows: () => one.store.readWatchers(),
      async [Symbol.asyncDispose]() {
        await here.shared.close();
        await there.shared.close();
        await one[Symbol.asyncDispose]();
        await other[Symbol.asyncDispose]();
      },
    };
  }

  async function register({ watchers, shared }: ReturnType<typeof share>, shards: readonly Shard[]): Promise<Watcher> {
    const { watcher } = watchers.register({ id: 'a', name: 'a', shards });
    shared.opened(watcher);
    await shared.register(watcher);
    return watcher;
  }

  test('its former connection, which ends late, is written last', async () => {
    await using processes = await twoProcesses();
    const { here, there } = processes;
    const former = await register(there, FORMER);
    const present = await register(here, PRESENT);
    processes.connect();
    there.shared.closed(former);
    await waitUntil(async () => (await processes.rows())[0]?.shards[0]?.id === 1);
    await here.shared.publish(present);
    await waitUntil(() => former.hasShards(PRESENT) && former.hasStream);
    // A process that starts now reads the same.
    expect(await processes.rows()).toMatchObject([{ shards: PRESENT, leftAt: null }]);
    await there.shared.refresh();
    expect([present.hasShards(PRESENT), former.hasShards(PRESENT)]).toEqual([true, true]);
  });

  test('a connection that was given up is written last', async () => {
    await using processes = await twoProcesses();
    const { here, there } = processes;
    processes.delayRows();
    const { watcher: former } = there.watchers.register({ id: 'a', name: 'a', shards: FORMER });
    there.shared.opened(former);
    const registered = there.shared.register(former, AbortSignal.abort());
    there.shared.closed(former);
    const present = await register(here, PRESENT);
    processes.connect();
    processes.writeRows();
    await registered;
    await there.shared.publish(former);
    await waitUntil(async () => (await processes.rows())[0]?.shards[0]?.id === 1);
    await waitUntil(() => former.hasShards(PRESENT) && former.hasStream);
    await there.shared.refresh();
    expect([present.hasShards(PRESENT), former.hasShards(PRESENT)]).toEqual([true, true]);
  });
});
