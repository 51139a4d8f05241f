import type { Fault } from '@guild-settings/discord-sim';
import { waitUntil } from '@guild-settings/testing';
import { clientResource, deliveryDesk, discordResource, GUILD, MINUTE, NOON, TOKEN } from '@guild-settings/testing/bot';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { channelsOf } from '../discord/channels.ts';

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
  // The clock stands still, so what failed is tried again when it is moved on.
  await waitUntil(() => desk.errors.length + desk.lateness.length === FAULTS.length);
  // A request that was given up before Discord received it meets its fault only now: some are tried more than twice.
  client.rest.options.timeout = 15_000;
  await waitUntil(() => {
    now += MINUTE;
    // discord.js forgets a token that was refused.
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
