import { MessageFlags, PermissionFlagsBits } from 'discord.js';
import { expect } from 'vitest';
import { asBot, BOT_ID, CHANNEL, sendableChannel, test } from '../../testing/bot-sim.ts';
import { GUILD } from '../../testing/populated-sim.ts';

const NEWS = '1300000000000000021';

test('a message of an announcement channel is published, once, and no other message is', async ({
  client,
  discord,
}) => {
  const { world, messages } = discord;
  world.addChannel({ id: NEWS, guildId: GUILD.id, name: 'news', type: 'announcement' });
  const sent = await (await sendableChannel(client, NEWS)).send('news');
  expect((await sent.crosspost()).flags.has(MessageFlags.Crossposted)).toBe(true);
  expect(messages.in(NEWS)).toMatchObject([{ content: 'news', flags: MessageFlags.Crossposted }]);
  await expect(sent.crosspost()).rejects.toMatchObject({ code: 40033 });

  const other = await (await sendableChannel(client)).send('chat');
  const path = `/channels/${CHANNEL.id}/messages/${other.id}/crosspost`;
  expect(await (await asBot(discord, 'POST', path)).json()).toMatchObject({ code: 50024 });
  const unknown = await asBot(discord, 'POST', `/channels/${NEWS}/messages/${other.id}/crosspost`);
  expect(await unknown.json()).toMatchObject({ code: 10008 });
  world.setChannelPermissions(NEWS, { [BOT_ID]: { deny: PermissionFlagsBits.SendMessages } });
  await expect(sent.crosspost()).rejects.toMatchObject({ code: 50013 });
});
