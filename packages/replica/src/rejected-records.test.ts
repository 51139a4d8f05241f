import type { WatchedEvent } from '@guild-settings/client';
import { type Cursor, DEFAULT_SETTINGS, type RejectedRecord } from '@guild-settings/contract';
import { temporaryFile, waitUntil } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { Replica } from './replica.ts';

const A = '197038439483310086';
const B = '197038439483310087';

const cursor = (revision: number) => ({ epoch: 'one', revision });
const reset: WatchedEvent = { cursor: cursor(0), event: { type: 'reset', epoch: 'one' } };
const live = (revision: number): WatchedEvent => ({ cursor: cursor(revision), event: { type: 'live', revision } });
const changed = (id: string, revision: number, prefix: string): WatchedEvent => {
  const guild = { id, name: 'n', icon: null, ...DEFAULT_SETTINGS, prefix };
  return { cursor: cursor(revision), event: { type: 'guild', revision, guild } };
};
const rejectedRecord = (guild: string | undefined, revision: number): RejectedRecord => ({
  guild,
  revision,
  reason: 'prefix: expected string',
});
const rejecting = (guild: string | undefined, revision: number): WatchedEvent => ({
  cursor: cursor(revision),
  event: { type: 'bookmark', revision },
  rejected: [rejectedRecord(guild, revision)],
});

/** Opens a replica that receives these events, and waits until it has. */
async function replicaOf(path: string, ...events: readonly WatchedEvent[]) {
  const reported: RejectedRecord[] = [];
  const cursors: (Cursor | undefined)[] = [];
  let received = 0;
  const replica = new Replica({
    path,
    onRejected: (record) => reported.push(record),
    async *follow(options) {
      cursors.push(options.cursor);
      for (const event of events) {
        yield event;
        received += 1;
      }
      await new Promise((resolve) => options.signal.addEventListener('abort', resolve));
    },
  });
  replica.start();
  await waitUntil(() => received === events.length);
  return { replica, reported, cursors };
}

test('a record that cannot be read is set aside: the settings before it are used, and the stream goes on', async () => {
  using file = temporaryFile();
  const events = [reset, changed(A, 1, '?'), live(1), rejecting(A, 2), changed(B, 3, '%')];
  const { replica, reported } = await replicaOf(file.path, ...events);
  expect([replica.get(A).prefix, replica.get(B).prefix]).toEqual(['?', '%']);
  expect(replica.status).toEqual({ state: 'LIVE', rejected: [rejectedRecord(A, 2)] });
  expect(replica.metrics).toMatchObject({ revision: 3, rejected: 1 });
  expect(reported).toEqual([rejectedRecord(A, 2)]);
  await replica.close();
});

test('a record is reported once, and no longer when one of the guild can be read, or the guild was erased', async () => {
  using file = temporaryFile();
  const erased: WatchedEvent = { cursor: cursor(5), event: { type: 'removed', revision: 5, guild: B } };
  const events = [reset, live(0), rejecting(A, 2), rejecting(A, 2), rejecting(B, 3), changed(A, 4, '%'), erased];
  const { replica, reported } = await replicaOf(file.path, ...events);
  expect(reported).toEqual([rejectedRecord(A, 2), rejectedRecord(B, 3)]);
  expect(replica.status).toEqual({ state: 'LIVE' });
  expect([replica.get(A).prefix, replica.has(B)]).toEqual(['%', false]);
  await replica.close();
});

test('all records are fetched again at each start while some cannot be read, as a later version can', async () => {
  using file = temporaryFile();
  const earlier = await replicaOf(file.path, reset, changed(A, 1, '?'), live(1), rejecting(A, 2), live(2));
  await earlier.replica.close();
  // It cannot read the record either, of which the file has an older one.
  const same = await replicaOf(file.path, reset, rejecting(A, 2), changed(B, 3, '%'), live(3));
  expect(same.cursors).toEqual([undefined]);
  expect([same.replica.get(A).prefix, same.replica.get(B).prefix]).toEqual(['?', '%']);
  expect(same.replica.status).toEqual({ state: 'LIVE', rejected: [rejectedRecord(A, 2)] });
  await same.replica.close();
  const later = await replicaOf(file.path, reset, changed(A, 2, '!!'), changed(B, 3, '%'), live(3));
  expect(later.replica.get(A).prefix).toBe('!!');
  expect(later.replica.status).toEqual({ state: 'LIVE' });
  await later.replica.close();
  const resumed = await replicaOf(file.path, live(3));
  expect(resumed.cursors).toEqual([cursor(3)]);
  expect([resumed.replica.get(A).prefix, resumed.replica.get(B).prefix]).toEqual(['!!', '%']);
  await resumed.replica.close();
});

test('a record without an id is fetched again as well', async () => {
  using file = temporaryFile();
  const first = await replicaOf(file.path, reset, live(0), rejecting(undefined, 1));
  expect(first.replica.status).toEqual({ state: 'LIVE', rejected: [rejectedRecord(undefined, 1)] });
  await first.replica.close();
  const second = await replicaOf(file.path, reset, changed(A, 1, '?'), live(1));
  expect(second.cursors).toEqual([undefined]);
  expect(second.replica.status).toEqual({ state: 'LIVE' });
  await second.replica.close();
});
