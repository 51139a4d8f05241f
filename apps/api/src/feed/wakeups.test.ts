import { describe, expect, test } from 'vitest';
import type { FeedEntry, FeedPage } from '../store/store.ts';
import type { GuildFilter, PageGuilds } from './page-guilds.ts';
import { type WaitingWatch, Wakeups } from './wakeups.ts';

const EVEN: GuildFilter = { shard: { id: 0, count: 2 } };
const ODD: GuildFilter = { shard: { id: 1, count: 2 } };

/** Returns the entry of an erased guild, which has as many milliseconds in its id as its revision: its shard of two is known. */
function entry(revision: number): FeedEntry {
  return { revision, erased: String((300_000_000_000n + BigInt(revision)) << 22n) };
}

function page(entries: readonly FeedEntry[], { isLast = true } = {}): FeedPage {
  return { epoch: 'one', entries, upTo: entries.at(-1)?.revision ?? 0, isLast };
}

/** Starts a wait. The watch and whether it was woken can be read. */
function waitOn(wakeups: Wakeups, filter: GuildFilter) {
  const watch: WaitingWatch & { isWoken: boolean; revision: number } = {
    revision: 0,
    isWoken: false as boolean,
    skip({ upTo, isLast }: FeedPage, guilds: PageGuilds): boolean {
      if (!isLast || guilds.concern(filter)) return false;
      watch.revision = Math.max(watch.revision, upTo);
      return true;
    },
  };
  const signal = new AbortController().signal;
  const wait = wakeups.wait(watch, { count: wakeups.count, timeoutMs: 2 ** 30, signal });
  void wait.then(() => {
    watch.isWoken = true;
  });
  return watch;
}

/** Resolves when everything that needs no time has been done. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the wake-ups after a commit', () => {
  test('wake the watches that have something to send, and move the others to the end of the page', async () => {
    const reads: number[] = [];
    const wakeups = new Wakeups(async (revision) => {
      reads.push(revision);
      return page([entry(2)]);
    });
    const [even, odd, all] = [waitOn(wakeups, EVEN), waitOn(wakeups, ODD), waitOn(wakeups, { shard: undefined })];
    wakeups.wake();
    wakeups.wake();
    await settled();
    expect({ even: even.isWoken, odd: odd.isWoken, all: all.isWoken }).toEqual({ even: true, odd: false, all: true });
    expect([odd.revision, reads]).toEqual([2, [0]]);
  });

  test('wake a watch for a commit that became known while an earlier page was read', async () => {
    const answers: ((read: FeedPage) => void)[] = [];
    const wakeups = new Wakeups(() => new Promise((resolve) => answers.push(resolve)));
    const odd = waitOn(wakeups, ODD);
    wakeups.wake();
    await settled();
    wakeups.wake();
    await settled();
    answers[0]?.(page([entry(2)]));
    await settled();
    expect(odd).toMatchObject({ isWoken: false, revision: 2 });
    answers[1]?.(page([entry(2), entry(3)]));
    await settled();
    expect(odd.isWoken).toBe(true);
  });

  test('do not move a watch back to the end of a page that was read late', async () => {
    const answers: ((read: FeedPage) => void)[] = [];
    const wakeups = new Wakeups(() => new Promise((resolve) => answers.push(resolve)));
    const odd = waitOn(wakeups, ODD);
    wakeups.wake();
    await settled();
    wakeups.wake();
    await settled();
    answers[1]?.(page([entry(2), entry(4)]));
    await settled();
    answers[0]?.(page([entry(2)]));
    await settled();
    expect(odd).toMatchObject({ isWoken: false, revision: 4 });
  });

  test('wake every watch when the page cannot be read, and when there are more pages', async () => {
    for (const read of [() => Promise.reject(new Error('lost')), async () => page([entry(2)], { isLast: false })]) {
      const wakeups = new Wakeups(read);
      const odd = waitOn(wakeups, ODD);
      wakeups.wake();
      await settled();
      expect(odd.isWoken).toBe(true);
    }
  });
});
