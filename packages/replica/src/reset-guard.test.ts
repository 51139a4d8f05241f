import { temporaryFile } from '@guild-settings/testing';
import { eventsOf, followedReplica } from '@guild-settings/testing/replica';
import { expect, test } from 'vitest';
import type { HeldReset, ReplicaOptions } from './replica-options.ts';

const MINUTE = 60_000;
const GUILDS = Array.from({ length: 10 }, (_, index) => String(197_038_439_483_310_000n + BigInt(index)));
const [FIRST = '', SECOND = ''] = GUILDS;
const two = eventsOf('two');

/** The events of a history with these prefixes of the first guilds. */
function snapshot(epoch: string, prefixes: readonly string[]) {
  const { reset, guilds, live } = eventsOf(epoch);
  const records = prefixes.map((prefix, index) => [GUILDS[index] ?? '', index + 1, prefix] as const);
  return [reset, guilds(...records), live(prefixes.length)];
}

/** A replica with a monotonic clock that the test sets. */
function guardedReplica(options: Partial<ReplicaOptions> = {}) {
  let now = 0;
  const held: HeldReset[] = [];
  const there = followedReplica({ monotonic: () => now, onHeld: (reset) => held.push(reset), ...options });
  return {
    ...there,
    held,
    prefixes: () => GUILDS.map((id) => there.replica.get(id).prefix),
    /** Advances the clock without an event. */
    pause: (ms: number) => (now += ms),
    /** Advances the clock, with a bookmark every 15 s. */
    async pass(ms: number, revision = 0) {
      for (let passedMs = 0; passedMs < ms; passedMs += MINUTE / 4) {
        now += MINUTE / 4;
        await there.send(two.bookmark(revision));
      }
    },
  };
}

const KEPT = GUILDS.map(() => '?');
const LOST = GUILDS.map(() => '!');
const OTHER = GUILDS.map(() => '$');

test.each([
  ['no guilds', []],
  ['fewer than half of the guilds', KEPT.slice(0, 4)],
  ['every guild with the defaults', LOST],
])('a new history with %s replaced good settings by defaults', async (_what, prefixes) => {
  await using there = guardedReplica();
  await there.send(...snapshot('one', KEPT), ...snapshot('two', prefixes));
  expect(there.prefixes()).toStrictEqual(KEPT);
  expect(there.replica.status).toMatchObject({ state: 'STALE', reason: expect.stringContaining('epoch two') });
  expect(there.held).toMatchObject([{ epoch: 'two', held: 10 }]);
  // The right database is restored.
  await there.send(...snapshot('three', OTHER));
  expect(there.prefixes()).toStrictEqual(OTHER);
  expect(there.replica.status).toStrictEqual({ state: 'LIVE' });
});

test('a new history is accepted when the service has sent it for an hour, counted over restarts', async () => {
  using file = temporaryFile();
  {
    await using there = guardedReplica({ path: file.path });
    await there.send(...snapshot('one', KEPT), ...snapshot('two', []));
    await there.pass(30 * MINUTE);
    // A connection that was silent for hours does not count.
    there.pause(600 * MINUTE);
    await there.pass(MINUTE / 4);
    expect(there.prefixes()).toStrictEqual(KEPT);
  }
  await using again = guardedReplica({ path: file.path });
  expect(again.prefixes()).toStrictEqual(KEPT);
  await again.send(two.live(0));
  expect(again.replica.status).toMatchObject({ state: 'STALE', reason: expect.stringContaining('epoch two') });
  await again.pass(29 * MINUTE);
  expect(again.prefixes()).toStrictEqual(KEPT);
  await again.pass(2 * MINUTE);
  expect(again.prefixes()).toStrictEqual(LOST);
  expect(again.replica.status).toStrictEqual({ state: 'LIVE' });
});

test('a new history is accepted at once when an operator has confirmed it, and no other', async () => {
  using file = temporaryFile();
  {
    await using there = guardedReplica({ path: file.path, acceptedEpoch: 'three' });
    await there.send(...snapshot('one', KEPT), ...snapshot('two', []));
    expect(there.prefixes()).toStrictEqual(KEPT);
  }
  await using again = guardedReplica({ path: file.path, acceptedEpoch: 'two' });
  await again.send(two.live(0));
  expect(again.prefixes()).toStrictEqual(LOST);
  expect(again.replica.metrics.guilds).toBe(0);
});

test('changes in a history that is held back are there when it is accepted', async () => {
  await using there = guardedReplica({ holdMs: MINUTE });
  await there.send(...snapshot('one', KEPT), ...snapshot('two', KEPT.slice(0, 3)));
  await there.send(two.guild(FIRST, 11, '$'), two.removed(SECOND, 12));
  expect(there.prefixes()).toStrictEqual(KEPT);
  await there.pass(1.25 * MINUTE, 12);
  expect(there.prefixes()).toStrictEqual(['$', '!', '?', ...LOST.slice(3)]);
});

test.each([
  ['half of the guilds', KEPT.slice(0, 5), [...KEPT.slice(0, 5), ...LOST.slice(5)]],
  ['other settings for all guilds', OTHER, OTHER],
])('a new history with %s is accepted at once', async (_what, prefixes, expected) => {
  await using there = guardedReplica();
  await there.send(...snapshot('one', KEPT), ...snapshot('two', prefixes));
  expect(there.prefixes()).toStrictEqual(expected);
  expect(there.held).toStrictEqual([]);
});

test('guilds of another process do not count, and a guild that is removed is no new history', async () => {
  using file = temporaryFile();
  {
    await using there = guardedReplica({ path: file.path });
    await there.send(...snapshot('one', KEPT));
  }
  await using there = guardedReplica({ path: file.path, scope: '0/4', isFollowed: (id) => id === FIRST });
  await there.send(...snapshot('one', KEPT.slice(0, 1)));
  expect(there.replica.metrics.guilds).toBe(1);
  await there.send(eventsOf('one').removed(FIRST, 20));
  expect(there.replica.metrics.guilds).toBe(0);
  expect(there.held).toStrictEqual([]);
});
