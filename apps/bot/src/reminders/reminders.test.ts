import type { Fault } from '@guild-settings/discord-sim';
import { minTimeMs, temporaryFile, waitUntil } from '@guild-settings/testing';
import {
  clientResource,
  deliveryDesk,
  discordResource,
  GUILD,
  MINUTE,
  NOON,
  reminderOf,
  TOKEN,
} from '@guild-settings/testing/bot';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { channelsOf } from '../discord/channels.ts';
import { explainStartFailure } from '../run-bot.ts';
import { openBotDatabase } from '../storage/bot-database.ts';
import { MAX_REMINDERS, remindersIn } from './reminders.ts';

const G = reminderOf().guildId;
const U = reminderOf().userId;

describe('reminders', () => {
  test('are listed for the person and the guild alone, the next one first', async () => {
    await using desk = await deliveryDesk();
    desk.add({ text: 'later', dueAt: NOON + 2 });
    desk.add({ text: 'sooner', dueAt: NOON + 1 });
    desk.add({ text: 'elsewhere', guildId: '1234567890123456780' });
    desk.add({ text: 'of another user', userId: '1200000000000000003' });
    expect(desk.queue.of(G, U).map(({ text }) => text)).toEqual(['sooner', 'later']);
  });

  test.each([
    ['their owner', U],
    ['a manager', 'any'],
  ] as const)('are cancelled by %s, in their guild, once', async (_, owner) => {
    await using desk = await deliveryDesk();
    const { id } = desk.add();
    expect(desk.queue.cancel(G, '1200000000000000003', id)).toBe(false);
    expect(desk.queue.cancel('1234567890123456780', owner, id)).toBe(false);
    expect(desk.queue.cancel(G, owner, id)).toBe(true);
    expect(desk.queue.cancel(G, owner, id)).toBe(false);
    expect(desk.queue.pending()).toBe(0);
  });

  test('are as many as a person may have in a guild, and then one more when one is gone', async () => {
    await using desk = await deliveryDesk();
    const ids = Array.from({ length: MAX_REMINDERS }, () => desk.add().id);
    expect(desk.queue.add(reminderOf())).toBeUndefined();
    expect(desk.queue.add(reminderOf({ guildId: '1234567890123456780' }))).toBeDefined();
    desk.queue.cancel(G, U, ids[0] ?? 0);
    expect(desk.queue.add(reminderOf())).toBeDefined();
  });

  test('never share a number, not even with one that is gone', async () => {
    using file = temporaryFile();
    const first = openBotDatabase(file.path);
    const id = remindersIn(first).add(reminderOf())?.id ?? 0;
    remindersIn(first).cancel(G, U, id);
    first.$client.close();
    const second = openBotDatabase(file.path);
    expect(remindersIn(second).add(reminderOf())?.id).toBe(id + 1);
    second.$client.close();
  });

  test('that a version before 1.0.0 has stored are refused in one line, with what to do', () => {
    using file = temporaryFile();
    openBotDatabase(file.path).$client.close();
    const other = new Database(file.path);
    other.exec("UPDATE __reminders_migrations SET hash = 'of before'");
    other.close();
    let line = '';
    try {
      openBotDatabase(file.path);
    } catch (error) {
      line = explainStartFailure(error);
    }
    expect(line).toMatch(
      /was made by a version before 1\.0\.0, which this one cannot read\. Set DATABASE_URL to a new file/,
    );
    expect(line.split('\n')).toHaveLength(1);
  });

  test('that were cancelled while they were on their way stay cancelled', async () => {
    await using desk = await deliveryDesk();
    const reminder = desk.add({ every: { kind: 'interval', minutes: 10 } });
    desk.queue.cancel(G, U, reminder.id);
    desk.queue.repeat(reminder, NOON + 1);
    desk.queue.tryAgain(reminder, NOON + 1);
    desk.queue.fail(reminder, 'forbidden', NOON);
    expect(desk.queue.of(G, U)).toEqual([]);
  });

  test('that failed are shown for thirty days', async () => {
    await using desk = await deliveryDesk();
    desk.queue.fail(desk.add({ text: 'old', dueAt: NOON - 31 * 86_400_000 }), 'channel-gone', NOON - 86_400_000);
    expect(desk.queue.of(G, U)).toMatchObject([{ text: 'old', failure: 'channel-gone', nextTryAt: null }]);
    desk.queue.fail(desk.add({ text: 'new', dueAt: NOON }), 'forbidden', NOON);
    expect(desk.queue.of(G, U)).toMatchObject([{ text: 'new', failure: 'forbidden' }]);
  });

  test('are added, found and woken up for quickly among a hundred thousand', async () => {
    await using desk = await deliveryDesk();
    fill(desk.path, 100_000);
    const took = (work: (attempt: number) => unknown) => minTimeMs(20, 0, async (attempt) => work(attempt));
    const milliseconds = {
      add: await took((attempt) => desk.add({ userId: `12000000000000001${attempt}` })),
      nextDue: await took(() => desk.queue.nextDue(NOON, ['a', 'b'])),
      nextDueOfMany: await took(() => desk.queue.nextDue(Number.MAX_SAFE_INTEGER, ['channel-1', 'channel-2'])),
      nextTryAfter: await took(() => desk.queue.nextTryAfter(NOON)),
    };
    // Checking each of them would take more than ten.
    const slow = Object.entries(milliseconds).filter(([name, taken]) => taken > (name === 'add' ? 50 : 5));
    expect(slow).toEqual([]);
    expect(desk.queue.pending()).toBe(100_020);
  });
});

/** Adds many reminders in the far future, in a thousand channels. */
function fill(path: string, count: number): void {
  const db = new Database(path);
  db.prepare(
    `INSERT INTO reminders (guild_id, channel_id, user_id, text, due_at, time_zone, language, nonce, next_try_at, created_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $count)
     SELECT 'g' || i, 'channel-' || (i % 1000), 'u', 't', $due + i, 'UTC', 'en-US', 'n' || i, $due + i, 0 FROM n`,
  ).run({ count, due: NOON + 86_400_000 });
  db.close();
}

const FAULTS: readonly Fault[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 401 },
  { kind: 'html' },
  { kind: 'close-socket' },
  { kind: 'close-mid-body' },
  { kind: 'truncated-json' },
  { kind: 'wrong-shape' },
  { kind: 'hang' },
];

test.concurrent('however Discord fails, each reminder comes in the end, and once', async () => {
  await using discord = await discordResource();
  await using client = clientResource(discord);
  client.rest.options.timeout = 200;
  let now = NOON;
  await using desk = await deliveryDesk({ post: channelsOf(client).post, clock: () => now });
  const reminders = FAULTS.map((fault, index) => {
    const channelId = `130000000000000010${index}`;
    discord.world.addChannel({ id: channelId, guildId: GUILD.id, name: fault.kind });
    discord.faults.set(fault, { path: `/channels/${channelId}/messages`, times: 1 });
    return desk.add({ channelId, dueAt: NOON, guildId: GUILD.id, text: fault.kind });
  });
  desk.delivery.start();
  // The clock stands still, so failed attempts are retried when it is advanced.
  await waitUntil(() => desk.errors.length + desk.lateness.length === FAULTS.length);
  // A request that was aborted before Discord received it meets its fault only now: some are sent more than twice.
  client.rest.options.timeout = 15_000;
  await waitUntil(() => {
    now += MINUTE;
    // discord.js drops a token that was refused.
    client.rest.setToken(TOKEN);
    desk.delivery.start();
    return desk.queue.pending() === 0;
  });
  expect(reminders.map(({ nonce }) => discord.messages.deliveriesOf(nonce))).toEqual(reminders.map(() => 1));
  expect(reminders.map(({ channelId }) => discord.messages.in(channelId).length)).toEqual(reminders.map(() => 1));
});

test.concurrent('a file that another connection locks loses no reminder, and none is sent twice', async () => {
  await using desk = await deliveryDesk({ clock: () => NOON });
  const { nonce } = desk.add({ dueAt: NOON });
  const other = new Database(desk.path);
  other.exec('BEGIN IMMEDIATE');
  expect(() => desk.add({ text: 'not stored' })).toThrow('locked');
  desk.delivery.start();
  await waitUntil(() => desk.errors.length === 2);
  expect(desk.queue.pending()).toBe(1);
  other.exec('ROLLBACK');
  other.close();
  await waitUntil(() => desk.queue.pending() === 0);
  expect(desk.posts.map((post) => post.nonce)).toEqual([nonce]);
});
