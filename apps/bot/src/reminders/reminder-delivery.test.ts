import type { PostFailure } from '@guild-settings/discord/framework';
import { temporaryFile } from '@guild-settings/testing';
import { deliveryDesk, HOUR, MINUTE, NOON, reminderOf, SECOND, stillTime } from '@guild-settings/testing/bot';
import { describe, expect, test, vi } from 'vitest';

const A = '1300000000000000001';
const B = '1300000000000000002';
const G = reminderOf().guildId;
const U = reminderOf().userId;

function never(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
}

/** A started delivery with stopped timers and a stopped clock. */
async function startedDesk(options: Parameters<typeof deliveryDesk>[0] = {}) {
  const time = stillTime();
  const desk = await deliveryDesk(options);
  desk.delivery.start();
  return {
    ...desk,
    async [Symbol.asyncDispose]() {
      await desk[Symbol.asyncDispose]();
      time[Symbol.dispose]();
    },
  };
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

/**
 * Advances by hours in steps of ten minutes, like a machine that sleeps in between: each timer takes a real millisecond
 * or more, and a day has 2,880 of them.
 */
async function passHours(hours: number): Promise<void> {
  for (let step = 0; step < 6 * hours; step += 1) {
    vi.setSystemTime(Date.now() + 10 * MINUTE - 30 * SECOND);
    await pass(30 * SECOND);
  }
}

describe('a reminder', () => {
  test('comes when it is due, not a moment before, and is then forgotten', async () => {
    await using desk = await startedDesk();
    desk.add();
    await pass(MINUTE - 1);
    expect(desk.posts).toEqual([]);
    await pass(1);
    expect(desk.posts).toMatchObject([
      {
        at: NOON + MINUTE,
        channelId: A,
        content: `⏰ <@${U}>, you asked me to remind you (#1):\ntea`,
        mentions: { parse: [], users: [U] },
      },
    ]);
    expect([desk.queue.pending(), desk.lateness]).toEqual([0, [0]]);
  });

  test('that is due before the next one is sent before it', async () => {
    await using desk = await startedDesk();
    desk.add({ text: 'second', dueAt: NOON + 20 * SECOND });
    desk.add({ text: 'first', dueAt: NOON + 10 * SECOND });
    await pass(20 * SECOND);
    expect(desk.posts.map(({ at }) => at - NOON)).toEqual([10 * SECOND, 20 * SECOND]);
    expect(desk.texts()).toEqual(['first', 'second']);
  });

  test('is not sent before its time because the clock was set back', async () => {
    await using desk = await startedDesk();
    desk.add();
    await pass(30 * SECOND);
    vi.setSystemTime(NOON - HOUR);
    await pass(HOUR + MINUTE - 1);
    expect(desk.posts).toEqual([]);
    await pass(1);
    expect(desk.texts()).toEqual(['tea']);
  });

  test('that became due while the bot was stopped is sent at its start, and says that it is late', async () => {
    using _time = stillTime();
    using file = temporaryFile();
    {
      await using before = await deliveryDesk({ path: file.path });
      before.add();
      before.add({ text: 'on time', dueAt: NOON + HOUR - MINUTE + 1 });
    }
    await pass(HOUR);
    await using desk = await deliveryDesk({ path: file.path });
    desk.delivery.start();
    await pass(0);
    expect(desk.posts.map(({ content }) => content.split('\n').slice(1))).toEqual([
      ['tea', '(This was due June 1, 2026 at 12:01 PM UTC, while I was away.)'],
      ['on time'],
    ]);
    expect(desk.lateness).toEqual([HOUR - MINUTE, MINUTE - 1]);
  });

  test('is kept when the bot stops while it is in flight, and is sent with the same nonce', async () => {
    using _time = stillTime();
    using file = temporaryFile();
    const nonces: string[] = [];
    {
      await using before = await deliveryDesk({
        path: file.path,
        post: (_channel, { nonce }, signal) => {
          nonces.push(nonce);
          return never(signal);
        },
      });
      before.delivery.start();
      before.add();
      await pass(MINUTE);
    }
    await using desk = await deliveryDesk({ path: file.path });
    desk.delivery.start();
    await pass(0);
    expect([...nonces, ...desk.posts.map(({ nonce }) => nonce)]).toEqual([nonces[0], nonces[0]]);
  });
});

describe('a channel', () => {
  test('that is slow keeps no other waiting, neither those due now nor those due while it is slow', async () => {
    using _time = stillTime();
    let looks = 0;
    await using desk = await deliveryDesk({
      clock() {
        looks += 1;
        return Date.now();
      },
      post: (channelId, _post, signal) => (channelId === A ? never(signal) : Promise.resolve('posted')),
    });
    for (let index = 0; index < 1_000; index++) desk.add({ userId: `u${index}` });
    desk.add({ channelId: B, text: 'now' });
    desk.add({ channelId: B, text: 'soon', dueAt: NOON + MINUTE + 5 * SECOND });
    desk.delivery.start();
    await pass(MINUTE);
    expect(desk.posts.map(({ channelId }) => channelId)).toEqual([A, B]);
    await pass(5 * SECOND);
    expect(desk.posts.filter(({ channelId }) => channelId === B)).toHaveLength(2);
    // The clock is not polled meanwhile.
    expect(looks).toBeLessThan(50);
  });

  test('gets its reminders in order, one after the other', async () => {
    let underWay = 0;
    let most = 0;
    await using desk = await startedDesk({
      async post() {
        underWay += 1;
        most = Math.max(most, underWay);
        await Promise.resolve();
        underWay -= 1;
        return 'posted';
      },
    });
    desk.add({ text: '3', dueAt: NOON + 2 });
    desk.add({ text: '1', dueAt: NOON + 1 });
    desk.add({ text: '2', dueAt: NOON + 1 });
    await pass(10);
    expect(desk.texts()).toEqual(['1', '2', '3']);
    expect(most).toBe(1);
  });

  test('that is gone fails its reminder, which the list shows and is not retried', async () => {
    await using desk = await startedDesk({ post: async () => 'gone' });
    desk.add();
    await pass(48 * HOUR);
    expect(desk.posts).toHaveLength(1);
    expect(desk.queue.of(G, U)).toMatchObject([{ failure: 'channel-gone', nextTryAt: null }]);
  });

  test('in which the bot may not write is tried again, and gets its reminder when the bot may', async () => {
    let outcome: 'posted' | PostFailure = 'forbidden';
    await using desk = await startedDesk({ post: async () => outcome });
    desk.add();
    await pass(2 * HOUR);
    expect(desk.posts.length).toBeGreaterThan(10);
    expect(desk.posts.length).toBeLessThan(30);
    outcome = 'posted';
    await pass(10 * MINUTE);
    expect(desk.queue.of(G, U)).toEqual([]);
    expect(new Set(desk.posts.map(({ nonce }) => nonce)).size).toBe(1);
  });

  test('in which the bot may not write for a day fails its reminder', async () => {
    await using desk = await startedDesk({ post: async () => 'forbidden' });
    desk.add();
    // The first attempts follow soon after one another.
    await pass(20 * MINUTE);
    await passHours(23.5);
    expect(desk.queue.of(G, U)).toMatchObject([{ failure: null }]);
    await passHours(0.5);
    expect(desk.queue.of(G, U)).toMatchObject([{ failure: 'forbidden' }]);
    const { length } = desk.posts;
    await passHours(24);
    expect(desk.posts).toHaveLength(length);
  });
});

describe('a repeating reminder', () => {
  test('comes at each of its times under another nonce, and once after a long pause', async () => {
    await using desk = await startedDesk();
    desk.add({ every: { kind: 'interval', minutes: 10 } });
    await pass(MINUTE + 20 * MINUTE);
    expect(desk.posts.map(({ at }) => (at - NOON) / MINUTE)).toEqual([1, 11, 21]);
    expect(new Set(desk.posts.map(({ nonce }) => nonce)).size).toBe(3);
    vi.setSystemTime(NOON + 25 * HOUR);
    await pass(MINUTE);
    expect(desk.posts).toHaveLength(5);
    expect(desk.queue.of(G, U)).toMatchObject([{ dueAt: NOON + 25 * HOUR + 11 * MINUTE }]);
  });

  test.each([
    ['beta', { beta: false }],
    ['the feature', { enabledFeatures: [] }],
  ])('passes over its times while %s is off, and goes on after', async (_, off) => {
    await using desk = await startedDesk();
    desk.add({ every: { kind: 'interval', minutes: 10 } });
    await pass(MINUTE);
    Object.assign(desk.settings, off);
    await pass(20 * MINUTE);
    expect(desk.posts).toHaveLength(1);
    Object.assign(desk.settings, { beta: true, enabledFeatures: ['reminders'] });
    await pass(10 * MINUTE);
    expect(desk.posts.map(({ at }) => (at - NOON) / MINUTE)).toEqual([1, 31]);
  });
});

describe('a clock that is set', () => {
  test.each([-HOUR, -30 * 24 * HOUR])('%i ms back kept a reminder from being tried again for as long', async (step) => {
    let fails = true;
    await using desk = await startedDesk({
      post: async () => {
        if (fails) throw new Error('Discord is away');
        return 'posted';
      },
    });
    // Due before the time of both clocks.
    desk.add({ dueAt: NOON + step - MINUTE });
    await pass(SECOND);
    expect(desk.errors).toHaveLength(1);
    fails = false;
    vi.setSystemTime(Date.now() + step);
    await pass(MINUTE);
    expect(desk.lateness).toHaveLength(1);
  });

  test('back and forth by hours and days never sends a reminder early, twice or not at all', async () => {
    await using desk = await startedDesk();
    const dueAt = NOON + 40 * 24 * HOUR;
    desk.add({ dueAt });
    for (const step of [HOUR, -HOUR, 30 * 24 * HOUR, -30 * 24 * HOUR]) {
      vi.setSystemTime(Date.now() + step);
      await pass(MINUTE);
      expect(desk.posts).toStrictEqual([]);
      // For any distance, timers are not longer than the limit, and do not overflow into a busy loop.
      expect(vi.getTimerCount()).toBe(1);
    }
    vi.setSystemTime(dueAt);
    await pass(MINUTE);
    expect(desk.lateness).toHaveLength(1);
    expect(desk.lateness[0]).toBeLessThanOrEqual(30 * SECOND);
  });

  test('30 days ahead for a moment kept a repeating reminder silent for a month', async () => {
    await using desk = await startedDesk();
    desk.add({ every: { kind: 'interval', minutes: 10 } });
    desk.add({ every: { kind: 'daily', hour: 13, minute: 0 }, dueAt: NOON + HOUR, text: 'lunch' });
    await pass(MINUTE);
    vi.setSystemTime(Date.now() + 30 * 24 * HOUR);
    await pass(MINUTE);
    vi.setSystemTime(NOON + 5 * MINUTE);
    const { length } = desk.posts;
    await pass(20 * MINUTE);
    expect(desk.posts.slice(length).map(({ at }) => (at - NOON) / MINUTE)).toEqual([11, 21]);
    await pass(HOUR);
    expect(desk.texts().filter((text) => text === 'lunch')).toHaveLength(2);
  });

  test('ahead by 30 days failed a reminder at its first refusal', async () => {
    let outcome: 'posted' | PostFailure = 'forbidden';
    await using desk = await startedDesk({ post: async () => outcome });
    desk.add();
    await pass(2 * MINUTE);
    vi.setSystemTime(Date.now() + 30 * 24 * HOUR);
    await pass(MINUTE);
    outcome = 'posted';
    await pass(10 * MINUTE);
    expect(desk.lateness).toHaveLength(1);
  });
});
