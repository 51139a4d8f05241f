import { startTestPostgres } from '@guild-settings/testing';
import { afterAll, expect, test } from 'vitest';
import { SYSTEM_CLOCK } from '../clock.ts';
import { migratedDatabase, openProcess } from '../testing/postgres-resource.ts';
import type { TestStore } from '../testing/store-commands.ts';
import { SharedWatchers } from './shared-watchers.ts';
import { Watchers } from './watchers.ts';

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

/** The watchers of one process, whose messages `send` delivers. */
function share(store: TestStore, send: (message: string) => void, readWatchers = store.readWatchers) {
  const watchers = new Watchers(SYSTEM_CLOCK, () => {});
  const shared = new SharedWatchers({
    store: { ...store, readWatchers, broadcast: async (message) => send(message) },
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
  const staying = share(
    one.store,
    () => {},
    async () => {
      await isRead;
      return one.store.readWatchers();
    },
  );
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
