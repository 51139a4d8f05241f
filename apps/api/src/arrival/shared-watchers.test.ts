import { EventEmitter, once } from 'node:events';
import { startTestPostgres } from '@guild-settings/testing';
import { afterAll, expect, test } from 'vitest';
import { SYSTEM_CLOCK } from '../clock.ts';
import { migratedDatabase, openProcess } from '../testing/postgres-resource.ts';
import type { TestStore } from '../testing/store-commands.ts';
import { CommitTimes } from './commit-times.ts';
import { SharedWatchers } from './shared-watchers.ts';
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
