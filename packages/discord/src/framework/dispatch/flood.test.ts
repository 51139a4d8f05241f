import type { DiscordSim, DiscordSimOptions } from '@guild-settings/discord-sim';
import { waitUntil } from '@guild-settings/testing';
import { BOT_ID, botResource, CHANNEL, discordResource, GUILD, MEMBER, OWNER } from '@guild-settings/testing/bot';
import { expect, test } from 'vitest';
import { DEFAULT_COOLDOWN } from './run-action.ts';

const MESSAGES = 200;

const CROWD = Array.from({ length: MESSAGES }, (_, index) => String(1_200_000_000_000_100_000n + BigInt(index)));

/** The cooldown does not end while the flood is handled, however long that takes. */
const STILL_COOLDOWN = { ...DEFAULT_COOLDOWN, clock: () => 0 };

/**
 * A bot with its own limits, in a Discord that accepts five posts per half second, and a reminder that is due in a
 * second.
 */
async function beforeTheFlood(options: Pick<DiscordSimOptions, 'clock'> = {}) {
  const discord = await discordResource({ rateLimit: { limit: 5, windowMs: 500 }, ...options });
  for (const id of CROWD) {
    discord.world.addUser({ id, username: `person-${id}` });
    discord.world.addMember(GUILD.id, id, { permissions: 0n });
  }
  const bot = await botResource(discord, {
    settings: { enabledFeatures: ['reminders'] },
    limits: { cooldown: STILL_COOLDOWN },
  });
  await bot.connected;
  const { id } = discord.people.sendMessage(OWNER.id, CHANNEL.id, '!remind add 1s tea');
  const { createdAt } = await discord.messages.waitFor(({ replyTo }) => replyTo === id);
  return {
    discord,
    bot,
    dueAt: createdAt + 1_000,
    async counted(outcome: string): Promise<number> {
      const text = await (await fetch(`${bot.healthUrl}/metrics`)).text();
      return Number(
        new RegExp(`bot_commands_total{command="help",.*outcome="${outcome}"} (\\d+)`).exec(text)?.[1] ?? 0,
      );
    },
    async [Symbol.asyncDispose]() {
      await bot[Symbol.asyncDispose]();
      await discord.close();
    },
  };
}

/** The bot's posts that Discord accepted between the due time of the reminder and the reminder. */
async function postsBeforeReminder({ messages }: DiscordSim, dueAt: number): Promise<number> {
  const reminder = await messages.waitFor(({ content }) => content.includes('⏰'));
  const posts = messages.in(CHANNEL.id).filter(({ authorId }) => authorId === BOT_ID);
  return posts
    .slice(
      0,
      posts.findIndex(({ id }) => id === reminder.id),
    )
    .filter(({ createdAt }) => createdAt > dueAt).length;
}

test('200 commands of one person pushed a reminder behind 200 replies', async () => {
  await using there = await beforeTheFlood();
  const { discord, dueAt } = there;
  const said = Array.from({ length: MESSAGES }, () => discord.people.sendMessage(MEMBER.id, CHANNEL.id, '!help').id);
  expect(await postsBeforeReminder(discord, dueAt)).toBeLessThanOrEqual(10);
  const repliesTo = () => discord.messages.all().filter(({ replyTo }) => replyTo !== null && said.includes(replyTo));
  await waitUntil(() => repliesTo().length >= 6);
  const replies = repliesTo();
  const notices = replies.filter(({ content }) => content.includes('too often'));
  expect(notices.map(({ content }) => content)).toStrictEqual([
    '`!help` was used too often. You can use it again in 3 seconds.',
  ]);
  await waitUntil(async () => (await there.counted('limited')) === MESSAGES - DEFAULT_COOLDOWN.burst);
  expect(repliesTo()).toHaveLength(DEFAULT_COOLDOWN.burst + 1);
  expect(await there.counted('done')).toBe(DEFAULT_COOLDOWN.burst);
});

test('200 commands of 200 people in a channel pushed a reminder behind 200 replies', async () => {
  await using there = await beforeTheFlood();
  const { discord, dueAt } = there;
  const said = CROWD.map((id) => discord.people.sendMessage(id, CHANNEL.id, '!help').id);
  expect(await postsBeforeReminder(discord, dueAt)).toBeLessThanOrEqual(10);
  await waitUntil(async () => (await there.counted('done')) + (await there.counted('dropped')) === MESSAGES);
  const replies = discord.messages.all().filter(({ replyTo }) => replyTo !== null && said.includes(replyTo));
  expect(await there.counted('done')).toBe(replies.length);
  expect(replies.length).toBeGreaterThanOrEqual(15);
});

test('200 slash commands of one user all got a reply', async () => {
  // Discord's clock is stopped, so that late responses count as in time.
  let stopped: number | undefined;
  await using there = await beforeTheFlood({ clock: () => stopped ?? Date.now() });
  stopped = Date.now();
  const { discord } = there;
  for (let use = 0; use < MESSAGES; use++) discord.people.slash(MEMBER.id, CHANNEL.id, 'help');
  await waitUntil(async () => (await there.counted('done')) + (await there.counted('limited')) === MESSAGES);
  expect(await there.counted('done')).toBe(DEFAULT_COOLDOWN.burst);
  const replies = discord.messages.all().filter(({ interactionId }) => interactionId !== null);
  const notices = replies.filter(
    ({ content, ephemeral }) => ephemeral && content.includes('`/help` was used too often'),
  );
  expect(notices).toHaveLength(1);
});

test('a use whose reply Discord rejected was counted as done', async () => {
  await using there = await beforeTheFlood();
  const { discord } = there;
  discord.faults.set({ kind: 'status', status: 403 }, { path: `/channels/${CHANNEL.id}/messages`, times: 1 });
  discord.people.sendMessage(MEMBER.id, CHANNEL.id, '!help');
  await waitUntil(async () => (await there.counted('undelivered')) === 1);
  expect(await there.counted('done')).toBe(0);
});
