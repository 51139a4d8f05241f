import { LANGUAGES } from '@guild-settings/contract';
import { code } from '@guild-settings/discord/framework';
import type { DiscordSim, Message } from '@guild-settings/discord-sim';
import {
  BOT_ID,
  botResource,
  CHANNEL,
  connectedBot,
  discordResource,
  GUILD,
  joinGuild,
  OWNER,
  translatorOf,
} from '@guild-settings/testing/bot';
import { MessageFlags, PermissionFlagsBits } from 'discord.js';
import { expect, test } from 'vitest';
import { botText } from '../i18n/bot-text.ts';

const OTHER = '1234567890124931072';
const WITHOUT_BOT = '1234567890129999999';
const NEWS = '1300000000000000031';
const THREAD = '1300000000000000032';

async function announceByForm({ people }: DiscordSim, value: string) {
  const opened = people.slash(OWNER.id, CHANNEL.id, 'announce');
  await opened.modal();
  return people.submit(OWNER.id, opened.id, { value }).reply();
}

function press({ people }: DiscordSim, { id, components }: Message, label: string) {
  const pattern = new RegExp(`"label":"${label}","custom_id":"([^"]+)"|"custom_id":"([^"]+)","label":"${label}"`);
  const [, first, second] = pattern.exec(JSON.stringify(components)) ?? [];
  return people.press(OWNER.id, id, first ?? second ?? `no button ${label}`);
}

async function replaced(discord: DiscordSim, reply: Message, label: string): Promise<Message> {
  press(discord, reply, label);
  return discord.messages.waitFor(({ id, content }) => id === reply.id && content !== reply.content);
}

test('a text of the form is shown to its author alone before it is posted, with the mentions that will notify', async () => {
  await using there = await connectedBot({ settings: { announcement_channel: NEWS } });
  const { discord } = there;
  discord.world.addChannel({ id: NEWS, guildId: GUILD.id, name: 'news' });
  const text = '@everyone **tea**\n\nand cake';
  const preview = await announceByForm(discord, text);
  expect(preview).toMatchObject({
    content: `Preview for <#${NEWS}>. Nothing is posted yet.\n\n${text}`,
    ephemeral: true,
    allowedMentions: { parse: [] },
  });
  expect(discord.messages.in(NEWS)).toEqual([]);
  const posted = await replaced(discord, preview, 'Post');
  expect(posted).toMatchObject({ content: `Posted in <#${NEWS}>.`, components: [] });
  expect(discord.messages.in(NEWS)).toMatchObject([
    { content: text, allowedMentions: { parse: ['everyone', 'roles', 'users'] } },
  ]);
});

test('a preview is edited in the form, which may be closed again, and is cancelled', async () => {
  await using there = await connectedBot({ settings: { announcement_channel: CHANNEL.id } });
  const { discord } = there;
  const preview = await announceByForm(discord, 'tee');
  const closed = await press(discord, preview, 'Edit').modal();
  expect(JSON.stringify(closed)).toContain('"value":"tee"');
  const edit = press(discord, preview, 'Edit');
  await edit.modal();
  discord.people.submit(OWNER.id, edit.id, { value: 'tea' });
  const edited = await discord.messages.waitFor(({ id, content }) => id === preview.id && content.endsWith('\n\ntea'));
  expect(edited.components).not.toEqual(preview.components);
  expect(await replaced(discord, edited, 'Cancel')).toMatchObject({ content: 'Nothing was posted.', components: [] });
  expect(discord.messages.in(CHANNEL.id).filter(({ content }) => content === 'tea')).toEqual([]);
});

test('a preview is posted once by a bot that was restarted, and previewed again where the channel is another', async () => {
  await using discord = await discordResource();
  discord.world.addChannel({ id: NEWS, guildId: GUILD.id, name: 'news' });
  const previews: Message[] = [];
  {
    await using bot = await botResource(discord, { settings: { announcement_channel: CHANNEL.id } });
    await bot.connected;
    previews.push(await announceByForm(discord, 'tea'));
  }
  await using bot = await botResource(discord, { settings: { announcement_channel: NEWS } });
  await bot.connected;
  const [preview] = previews;
  if (preview === undefined) throw new Error('Expected a preview');
  const again = await replaced(discord, preview, 'Post');
  expect(again.content).toBe(`Preview for <#${NEWS}>. Nothing is posted yet.\n\ntea`);
  press(discord, again, 'Post');
  expect((await replaced(discord, again, 'Post')).content).toBe(`Posted in <#${NEWS}>.`);
  expect(discord.messages.in(NEWS)).toHaveLength(1);
});

test('a preview stays while Discord fails, and is posted later', async () => {
  await using there = await connectedBot({ settings: { announcement_channel: CHANNEL.id } });
  const { discord } = there;
  const preview = await announceByForm(discord, 'tea');
  discord.faults.set({ kind: 'status', status: 500 }, { path: `/channels/${CHANNEL.id}/messages` });
  const failed = await press(discord, preview, 'Post').reply();
  expect(failed).toMatchObject({ content: expect.stringContaining('logged as'), ephemeral: true });
  discord.faults.clear();
  expect((await replaced(discord, preview, 'Post')).content).toBe(`Posted in <#${CHANNEL.id}>.`);
});

test('a form with blanks alone says how a text is added', async () => {
  await using there = await connectedBot({ settings: { announcement_channel: CHANNEL.id } });
  expect((await announceByForm(there.discord, ' \n')).content).toMatch(/^Add a text: /);
});

test('an announcement in an announcement channel is published by a button, and says so where Discord refuses', async () => {
  await using there = await connectedBot({ settings: { announcement_channel: NEWS } });
  const { discord } = there;
  const { world, messages } = discord;
  world.addChannel({ id: NEWS, guildId: GUILD.id, name: 'news', type: 'announcement' });
  const reply = await replaced(discord, await announceByForm(discord, 'tea\nand cake'), 'Post');
  expect(reply.content).toBe(`Posted in <#${NEWS}>.\nServers that follow this channel get it when you publish it.`);
  expect(messages.in(NEWS)).toMatchObject([{ content: 'tea\nand cake', flags: 0 }]);
  expect((await replaced(discord, reply, 'Publish')).content).toBe(`Posted and published in <#${NEWS}>.`);
  expect(messages.in(NEWS)).toMatchObject([{ flags: MessageFlags.Crossposted }]);

  const other = await replaced(discord, await announceByForm(discord, 'more'), 'Post');
  world.setChannelPermissions(NEWS, { [BOT_ID]: { deny: PermissionFlagsBits.SendMessages } });
  expect((await replaced(discord, other, 'Publish')).content).toBe(
    `It is posted in <#${NEWS}>, but Discord did not let me publish it. Publish it there yourself.`,
  );
});

test('an announcement in a thread is posted; where it cannot be, the text stays with the reason, to be tried again', async () => {
  await using there = await connectedBot({ settings: { announcement_channel: THREAD } });
  const { discord } = there;
  const { world, messages } = discord;
  world.addChannel({ id: NEWS, guildId: GUILD.id, name: 'news', type: 'announcement' });
  world.addChannel({ id: THREAD, guildId: GUILD.id, name: 'thread', type: 'thread', parentId: NEWS });
  const text = 'x'.repeat(1_700);
  const preview = await announceByForm(discord, text);
  world.setChannelPermissions(NEWS, { [BOT_ID]: { deny: PermissionFlagsBits.SendMessagesInThreads } });
  const refused = await replaced(discord, preview, 'Post');
  expect(refused.content).toMatch(new RegExp(`^I cannot write in <#${THREAD}>[^]*\\n\\n${text}$`));
  world.setChannelPermissions(NEWS, {});
  const again = await replaced(discord, refused, 'Post');
  expect(await replaced(discord, again, 'Post')).toMatchObject({ content: `Posted in <#${THREAD}>.`, components: [] });
  expect(messages.in(THREAD)).toMatchObject([{ content: text }]);
});

test('the longest text of the form fits below every sentence, in every language', () => {
  const channel = code('&'.repeat(100));
  for (const language of LANGUAGES) {
    const t = botText(translatorOf({ language }));
    const command = `\`/${'x'.repeat(50)}\``;
    const leads = [
      t('announce.preview', { channel }),
      t('announce.unset', { command }),
      t('announce.unknown', { channel, command }),
      t('channel.unwritable', { channel: `<#${NEWS}>` }),
    ];
    for (const lead of leads) expect(`${lead}\n\n`.length, lead).toBeLessThanOrEqual(300);
  }
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
  // The time of the reply does not reveal it either.
  expect(new Set(lookUps)).toStrictEqual(new Set([lookUps[0]]));
});
