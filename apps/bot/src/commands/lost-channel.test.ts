import { BOT_ID, CHANNEL, connectedBot, GUILD, MEMBER, OWNER } from '@guild-settings/testing/bot';
import { PermissionFlagsBits } from 'discord.js';
import { expect, test } from 'vitest';

const [NEWS, THREAD, UPDATES, OTHER] = [11, 12, 13, 14].map((last) => `13000000000000000${last}`) as [
  string,
  string,
  string,
  string,
];
const { SendMessages, SendMessagesInThreads, ViewChannel } = PermissionFlagsBits;

/** A connected bot with an announcement channel, which contains a thread, and the system channel. */
async function announcing(announcement_channel: string = NEWS) {
  const there = await connectedBot(
    { settings: { announcement_channel }, env: { DASHBOARD_URL: 'https://settings.example' } },
    {},
  );
  const { world, messages, people } = there.discord;
  world.addChannel({ id: NEWS, guildId: GUILD.id, name: 'news', type: 'announcement' });
  world.addChannel({ id: THREAD, guildId: GUILD.id, name: 'thread', type: 'thread', parentId: NEWS });
  world.addChannel({ id: UPDATES, guildId: GUILD.id, name: 'updates' });
  world.addChannel({ id: OTHER, guildId: GUILD.id, name: 'other' });
  world.updateGuild(GUILD.id, { systemChannelId: CHANNEL.id });
  return {
    ...there,
    world,
    /** Returns the bot's own messages, after it has received all events so far. */
    async said() {
      const { id } = people.sendMessage(OWNER.id, OTHER, '!ping');
      await messages.waitFor(({ replyTo }) => replyTo === id);
      return messages.all().filter(({ authorId, replyTo }) => authorId === BOT_ID && replyTo === null);
    },
  };
}

const denied = (permission: bigint) => ({ [BOT_ID]: { deny: permission } });

test('a channel that a setting names is deleted: the system channel is told, with the way out', async () => {
  await using there = await announcing();
  there.world.removeChannel(NEWS);
  expect(await there.discord.messages.waitFor(({ content }) => content.includes('deleted'))).toMatchObject({
    channelId: CHANNEL.id,
    content: `The channel chosen for **channel** was deleted. Choose another one: \`/settings set channel\`\nSettings page: <https://settings.example/guilds/${GUILD.id}>`,
    allowedMentions: { parse: [] },
  });
  expect(await there.said()).toHaveLength(1);
  // The setting does not change.
  expect(there.bot.settingsOf(GUILD.id).announcement_channel).toBe(NEWS);
});

test('a thread is deleted with the channel that it is in, which is said once', async () => {
  await using there = await announcing(THREAD);
  there.world.removeChannel(NEWS);
  await there.discord.messages.waitFor(({ content }) => content.includes('was deleted'));
  expect(await there.said()).toHaveLength(1);
});

test.each<[string, (there: Awaited<ReturnType<typeof announcing>>) => void, string, string?]>([
  [
    'by the permissions of the channel',
    ({ world }) => world.setChannelPermissions(NEWS, denied(SendMessages)),
    '“Send Messages”',
  ],
  [
    'because it cannot see it',
    ({ world }) => world.setChannelPermissions(NEWS, denied(ViewChannel)),
    '“View Channel” and “Send Messages”',
  ],
  [
    'by the permissions of the channel of the thread',
    ({ world }) => world.setChannelPermissions(NEWS, denied(SendMessagesInThreads)),
    '“Send Messages in Threads”',
    THREAD,
  ],
])('the bot can no longer write in the channel %s: that is said once', async (_, lose, permissions, channel = NEWS) => {
  await using there = await announcing(channel);
  lose(there);
  const { content } = await there.discord.messages.waitFor((message) => message.content.startsWith('I no longer'));
  expect(content).toContain(`I no longer have ${permissions} in <#${channel}>, the channel chosen for **channel**.`);
  there.world.setChannelPermissions(OTHER, {});
  lose(there);
  expect(await there.said()).toHaveLength(1);
});

test('the updates of moderators are the better place, and the roles of the bot count', async () => {
  await using there = await announcing();
  const { world, discord } = there;
  world.updateGuild(GUILD.id, { publicUpdatesChannelId: UPDATES });
  world.setChannelPermissions(NEWS, { '@everyone': {} });
  for (const channel of [UPDATES, OTHER]) world.setChannelPermissions(channel, { [BOT_ID]: { allow: SendMessages } });
  await there.said();
  world.setPermissions(GUILD.id, BOT_ID, ViewChannel);
  const { channelId } = await discord.messages.waitFor(({ content }) => content.startsWith('I no longer'));
  expect(channelId).toBe(UPDATES);
  expect(await there.said()).toHaveLength(1);
});

test('other channels, a reconnection and a restart are no loss', async () => {
  await using there = await announcing();
  const { world, discord } = there;
  world.removeChannel(UPDATES);
  world.setChannelPermissions(CHANNEL.id, { [MEMBER.id]: { deny: SendMessages } });
  discord.gateway.dropAll();
  expect(await there.said()).toEqual([]);
});

test('a timeout of the bot is no loss: it ends by itself', async () => {
  await using there = await announcing();
  there.world.setTimeout(GUILD.id, BOT_ID, Date.now() + 3_600_000);
  there.world.setTimeout(GUILD.id, BOT_ID, null);
  expect(await there.said()).toEqual([]);
});

test('without a place to say it, nothing is said, and nothing fails', async () => {
  await using there = await announcing();
  there.world.updateGuild(GUILD.id, { systemChannelId: NEWS });
  there.world.removeChannel(NEWS);
  expect(await there.said()).toEqual([]);
  expect(there.bot.log.filter(({ msg }) => String(msg).includes('channel was lost'))).toEqual([]);
});
