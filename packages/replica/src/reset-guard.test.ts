import type { WatchedEvent } from '@guild-settings/client';
import { DEFAULT_SETTINGS, type Guild } from '@guild-settings/contract';
import { temporaryFile, waitUntil } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { Replica } from './replica.ts';
import type { Follow, HeldReset, ReplicaOptions } from './replica-options.ts';

const MINUTE = 60_000;
const GUILDS = Array.from({ length: 10 }, (_, index) => String(197_038_439_483_310_000n + BigInt(index)));

const record = (id: string, prefix: string): Guild => ({ id, name: 'n', icon: null, ...DEFAULT_SETTINGS, prefix });

/** The events of a history with these guilds. */
function snapshot(epoch: string, guilds: readonly Guild[], type: 'live' | 'guild' = 'live'): WatchedEvent[] {
  const at = (revision: number) => ({ epoch, revision });
  const records = guilds.map((guild, index) => ({ revision: index + 1, guild }));
  const events: WatchedEvent[] = [
    { cursor: at(0), event: { type: 'reset', epoch } },
    { cursor: at(guilds.length), event: { type: 'guilds', revision: guilds.length, guilds: records } },
  ];
  if (type === 'live') events.push({ cursor: at(guilds.length), event: { type: 'live', revision: guilds.length } });
  return events;
}

const bookmark = (epoch: string, revision: number): WatchedEvent => ({
  cursor: { epoch, revision },
  event: { type: 'bookmark', revision },
});

/** A replica whose service sends the events of a test, on a monotonic clock that the test sets. */
async function replicaOn(path: string, options: Partial<ReplicaOptions> = {}) {
  const time = { now: 0 };
  const held: HeldReset[] = [];
  const pending: WatchedEvent[] = [];
  let wake = () => {};
  const follow: Follow = async function* ({ signal }) {
    signal.addEventListener('abort', () => wake());
    while (!signal.aborted) {
      const next = pending[0];
      if (next === undefined) await new Promise<void>((resolve) => (wake = resolve));
      else {
        yield next;
        pending.shift();
      }
    }
  };
  const onHeld = (reset: HeldReset) => held.push(reset);
  const replica = new Replica({ path, follow, monotonic: () => time.now, onHeld, ...options });
  replica.start();
  return {
    replica,
    time,
    held,
    /** Resolves when the replica has applied the events. */
    async send(events: readonly WatchedEvent[]) {
      pending.push(...events);
      wake();
      await waitUntil(() => pending.length === 0);
    },
    prefixes: () => GUILDS.map((id) => replica.get(id).prefix),
    [Symbol.asyncDispose]: () => replica.close(),
  };
}

const OLD = GUILDS.map((id) => record(id, '?'));
const KEPT = GUILDS.map(() => '?');
const LOST = GUILDS.map(() => '!');

test.each([
  ['no guilds', []],
  ['fewer than half of the guilds', OLD.slice(0, 4)],
  ['every guild with the defaults', GUILDS.map((id) => record(id, '!'))],
])('a new history with %s replaced good settings by defaults', async (_what, guilds) => {
  using file = temporaryFile();
  await using there = await replicaOn(file.path);
  await there.send(snapshot('one', OLD));
  await there.send(snapshot('two', guilds));
  expect(there.prefixes()).toStrictEqual(KEPT);
  expect(there.replica.status).toMatchObject({ state: 'STALE', reason: expect.stringContaining('epoch two') });
  expect(there.held).toMatchObject([{ epoch: 'two', held: 10 }]);

  // The right database is put back.
  await there.send(
    snapshot(
      'three',
      GUILDS.map((id) => record(id, '$')),
    ),
  );
  expect(there.prefixes()).toStrictEqual(GUILDS.map(() => '$'));
  expect(there.replica.status).toStrictEqual({ state: 'LIVE' });
});

test('a new history is accepted when the service has sent it for an hour, counted over restarts', async () => {
  using file = temporaryFile();
  {
    await using there = await replicaOn(file.path);
    await there.send([...snapshot('one', OLD), ...snapshot('two', [])]);
    for (let minute = 0; minute < 30; minute += 0.25) {
      there.time.now += MINUTE / 4;
      await there.send([bookmark('two', 0)]);
    }
    // A connection that was silent for hours does not count.
    there.time.now += 600 * MINUTE;
    await there.send([bookmark('two', 0)]);
    expect(there.prefixes()).toStrictEqual(KEPT);
  }
  await using again = await replicaOn(file.path);
  expect(again.prefixes()).toStrictEqual(KEPT);
  await again.send(snapshot('two', []).slice(2));
  expect(again.replica.status).toMatchObject({ state: 'STALE', reason: expect.stringContaining('epoch two') });
  for (let minute = 0; minute < 29; minute += 0.25) {
    again.time.now += MINUTE / 4;
    await again.send([bookmark('two', 0)]);
  }
  expect(again.prefixes()).toStrictEqual(KEPT);
  for (let minute = 0; minute < 2; minute += 0.25) {
    again.time.now += MINUTE / 4;
    await again.send([bookmark('two', 0)]);
  }
  expect(again.prefixes()).toStrictEqual(LOST);
  expect(again.replica.status).toStrictEqual({ state: 'LIVE' });
});

test('a new history is accepted at once when an operator has confirmed it, and no other', async () => {
  using file = temporaryFile();
  {
    await using there = await replicaOn(file.path, { acceptedEpoch: 'three' });
    await there.send([...snapshot('one', OLD), ...snapshot('two', [])]);
    expect(there.prefixes()).toStrictEqual(KEPT);
  }
  await using again = await replicaOn(file.path, { acceptedEpoch: 'two' });
  await again.send(snapshot('two', []).slice(2));
  expect(again.prefixes()).toStrictEqual(LOST);
  expect(again.replica.metrics.guilds).toBe(0);
});

test('changes in a history that is held back are there when it is accepted', async () => {
  using file = temporaryFile();
  await using there = await replicaOn(file.path, { holdMs: MINUTE });
  await there.send([...snapshot('one', OLD), ...snapshot('two', OLD.slice(0, 3))]);
  const [first = '', second = ''] = GUILDS;
  await there.send([
    { cursor: { epoch: 'two', revision: 11 }, event: { type: 'guild', revision: 11, guild: record(first, '$') } },
    { cursor: { epoch: 'two', revision: 12 }, event: { type: 'removed', revision: 12, guild: second } },
  ]);
  expect(there.prefixes()).toStrictEqual(KEPT);
  for (let quarter = 0; quarter < 5; quarter += 1) {
    there.time.now += MINUTE / 4;
    await there.send([bookmark('two', 12)]);
  }
  expect(there.prefixes()).toStrictEqual(['$', '!', '?', ...LOST.slice(3)]);
});

test.each([
  ['half of the guilds', OLD.slice(0, 5), [...KEPT.slice(0, 5), ...LOST.slice(5)]],
  ['other settings for all guilds', GUILDS.map((id) => record(id, '$')), GUILDS.map(() => '$')],
])('a new history with %s is accepted at once', async (_what, guilds, expected) => {
  using file = temporaryFile();
  await using there = await replicaOn(file.path);
  await there.send([...snapshot('one', OLD), ...snapshot('two', guilds)]);
  expect(there.prefixes()).toStrictEqual(expected);
  expect(there.held).toStrictEqual([]);
});

test('guilds of another process do not count, and a guild that is removed is no new history', async () => {
  using file = temporaryFile();
  const [first = ''] = GUILDS;
  {
    await using there = await replicaOn(file.path);
    await there.send(snapshot('one', OLD));
  }
  await using there = await replicaOn(file.path, { scope: '0/4', isFollowed: (id) => id === first });
  await there.send(snapshot('one', OLD.slice(0, 1)));
  expect(there.replica.metrics.guilds).toBe(1);
  await there.send([
    { cursor: { epoch: 'one', revision: 20 }, event: { type: 'removed', revision: 20, guild: first } },
  ]);
  expect(there.replica.metrics.guilds).toBe(0);
  expect(there.held).toStrictEqual([]);
});
