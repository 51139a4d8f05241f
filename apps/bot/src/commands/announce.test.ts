import type { DiscordSim, Message } from '@guild-settings/discord-sim';
import { MessageFlags, PermissionFlagsBits } from 'discord.js';
import { expect, test } from 'vitest';
import { botResource, connectedBot } from '../testing/bot-resource.ts';
import { BOT_ID, CHANNEL, discordResource, GUILD, joinGuild, OWNER } from '../testing/discord-resource.ts';

const OTHER = '1234567890124931072';
const WITHOUT_BOT = '1234567890129999999';
const NEWS = '1300000000000000031';
const THREAD = '1300000000000000032';

/** Opens the form of an announcement, fills it in, and returns the reply. */
async function announceByForm({ people }: DiscordSim, value: string) {
  const opened = people.slash(OWNER.id, CHANNEL.id, 'announce');
  await opened.modal();
  return people.submit(OWNER.id, opened.id, { value }).reply();
}

function publishButton({ components }: Message): string {
  return /"custom_id":"([^"]+)"/.exec(JSON.stringify(components))?.[1] ?? 'no button';
}

test('an announcement in an announcement channel is published by a button, and says so where Discord refuses', async () => {
  await using there = await connectedBot({ settings: { announcement_channel: NEWS } });
  const { discord } = there;
  const { world, people, messages } = discord;
  world.addChannel({ id: NEWS, guildId: GUILD.id, name: 'news', type: 'announcement' });
  const press = async (reply: Message) => {
    people.press(OWNER.id, reply.id, publishButton(reply));
    return (await messages.waitFor(({ id, content }) => id === reply.id && content !== reply.content)).content;
  };
  const reply = await announceByForm(discord, 'tea\nand cake');
  expect(reply.content).toBe(`Posted in <#${NEWS}>.\nServers that follow this channel get it when you publish it.`);
  expect(messages.in(NEWS)).toMatchObject([{ content: 'tea\nand cake', flags: 0 }]);
  expect(await press(reply)).toBe(`Posted and published in <#${NEWS}>.`);
  expect(messages.in(NEWS)).toMatchObject([{ flags: MessageFlags.Crossposted }]);

  const other = await announceByForm(discord, 'more');
  world.setChannelPermissions(NEWS, { [BOT_ID]: { deny: PermissionFlagsBits.SendMessages } });
  expect(await press(other)).toBe(
    `It is posted in <#${NEWS}>, but Discord did not let me publish it. Publish it there yourself.`,
  );
});

test('an announcement in a thread is posted; where it cannot be, what was written is in the reply', async () => {
  await using there = await connectedBot({ settings: { announcement_channel: THREAD } });
  const { discord } = there;
  const { world, messages } = discord;
  world.addChannel({ id: NEWS, guildId: GUILD.id, name: 'news', type: 'announcement' });
  world.addChannel({ id: THREAD, guildId: GUILD.id, name: 'thread', type: 'thread', parentId: NEWS });
  expect(await announceByForm(discord, 'tea')).toMatchObject({ content: `Posted in <#${THREAD}>.`, components: [] });
  expect(messages.in(THREAD)).toMatchObject([{ content: 'tea' }]);
  const opened = discord.people.slash(OWNER.id, CHANNEL.id, 'announce');
  await opened.modal();
  world.setChannelPermissions(NEWS, { [BOT_ID]: { deny: PermissionFlagsBits.SendMessagesInThreads } });
  const refused = await discord.people.submit(OWNER.id, opened.id, { value: 'a long text' }).reply();
  expect(refused.content).toMatch(new RegExp(`^I cannot write in <#${THREAD}>[^]*\\n\\na long text$`));
  expect(refused.ephemeral).toBe(true);
});

test('a message without a text says what to add, and that the slash command has a form', async () => {
  await using there = await connectedBot({ settings: { announcement_channel: CHANNEL.id } });
  const { people, messages } = there.discord;
  const { id } = people.sendMessage(OWNER.id, CHANNEL.id, '!announce');
  expect((await messages.waitFor(({ replyTo }) => replyTo === id)).content).toBe(
    'Add a text: `!announce [text]`. The slash command `/announce` opens a form for it.',
  );
});

const CHANNELS = {
  ofAnotherGuildOfTheBot: '1300000000000000021',
  ofAGuildWithoutTheBot: '1300000000000000022',
  thatDoesNotExist: '1300000000000000023',
};

test('announce and settings revealed which channels of other guilds exist', async () => {
  await using discord = await discordResource();
  const { world, people, messages, calls } = discord;
  joinGuild(discord, OTHER, 'Cake');
  world.addGuild({ id: WITHOUT_BOT, name: 'Secret', ownerId: OWNER.id });
  world.addChannel({ id: CHANNELS.ofAnotherGuildOfTheBot, guildId: OTHER, name: 'theirs' });
  world.addChannel({ id: CHANNELS.ofAGuildWithoutTheBot, guildId: WITHOUT_BOT, name: 'secret' });
  const replies: string[] = [];
  const lookUps: number[] = [];
  for (const id of Object.values(CHANNELS)) {
    await using bot = await botResource(discord, { settings: { announcement_channel: id } });
    await bot.connected;
    for (const content of ['!announce hello', `!settings set channel <#${id}>`]) {
      const said = people.sendMessage(OWNER.id, CHANNEL.id, content);
      const reply = await messages.waitFor(({ replyTo }) => replyTo === said.id);
      replies.push(reply.content.replaceAll(id, 'ID'));
    }
    lookUps.push(calls.count({ path: `/channels/${id}` }));
  }
  expect(new Set(replies.filter((_, index) => index % 2 === 0))).toStrictEqual(new Set([replies[0]]));
  expect(new Set(replies.filter((_, index) => index % 2 === 1))).toStrictEqual(new Set([replies[1]]));
  // Nor does the time of the reply reveal it.
  expect(new Set(lookUps)).toStrictEqual(new Set([lookUps[0]]));
});
