import type { WatchedEvent } from '@guild-settings/client';
import type { RejectedRecord } from '@guild-settings/contract';
import { temporaryFile } from '@guild-settings/testing';
import { eventsOf, followedReplica } from '@guild-settings/testing/replica';
import { expect, test } from 'vitest';

const A = '197038439483310086';
const B = '197038439483310087';

const { reset, guild: changed, live, removed, bookmark } = eventsOf('one');
const rejectedRecord = (guild: string | undefined, revision: number): RejectedRecord => ({
  guild,
  revision,
  reason: 'prefix: expected string',
});
const rejecting = (guild: string | undefined, revision: number): WatchedEvent => ({
  ...bookmark(revision),
  rejected: [rejectedRecord(guild, revision)],
});

async function replicaOf(path: string, ...events: readonly WatchedEvent[]) {
  const reported: RejectedRecord[] = [];
  const there = followedReplica({ path, onRejected: (record) => reported.push(record) });
  await there.send(...events);
  return { ...there, reported };
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
  const events = [reset, live(0), rejecting(A, 2), rejecting(A, 2), rejecting(B, 3), changed(A, 4, '%'), removed(B, 5)];
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
  // The replica cannot read the record either; the file has an older one.
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
  expect(resumed.cursors).toEqual([live(3).cursor]);
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
