import { Client, GatewayDispatchEvents, InteractionType } from '@discordjs/core';
import { REST } from '@discordjs/rest';
import { CompressionMethod, WebSocketManager } from '@discordjs/ws';
import { GatewayIntentBits } from 'discord-api-types/v10';
import { expect } from 'vitest';
import { APPLICATION, BOT_ID, BOT_TOKEN, CHANNEL, GUILD, MEMBER, botTest as test } from '../src/testing/test-sim.ts';

const TEXT = { type: 3 as const, name: 'text', description: 'The text', required: true };
const ECHO = { type: 1 as const, name: 'echo', description: 'Replies with a text', options: [TEXT] };

/** The library pauses before it reconnects. */
const WAIT = { timeoutMs: 15_000 };

const { Guilds, GuildMessages, MessageContent } = GatewayIntentBits;

test('@discordjs/core connects compressed, answers, and resumes with what it missed', async ({ discord }) => {
  const rest = new REST({ api: `${discord.url}/api` }).setToken(BOT_TOKEN);
  await using gateway = Object.assign(
    new WebSocketManager({
      token: BOT_TOKEN,
      intents: Guilds | GuildMessages | MessageContent,
      rest,
      compression: CompressionMethod.ZlibNative,
      buildIdentifyThrottler: async () => ({ waitForIdentify: async () => undefined }),
    }),
    { [Symbol.asyncDispose]: () => gateway.destroy() },
  );
  const client = new Client({ rest, gateway });
  const guilds: string[] = [];
  client.on(GatewayDispatchEvents.GuildCreate, ({ data }) => guilds.push(data.name));
  client.on(GatewayDispatchEvents.MessageCreate, async ({ api, data: { author, channel_id, content } }) => {
    if (author.id !== BOT_ID) await api.channels.createMessage(channel_id, { content: `heard ${content}` });
  });
  client.on(GatewayDispatchEvents.InteractionCreate, async ({ api, data }) => {
    if (data.type !== InteractionType.ApplicationCommand || !('options' in data.data)) return;
    const [option] = data.data.options ?? [];
    await api.interactions.defer(data.id, data.token);
    const content = option && 'value' in option ? String(option.value) : '';
    await api.interactions.editReply(data.application_id, data.token, { content });
  });
  const replyTo = async (text: string) => {
    const { id } = discord.people.sendMessage(MEMBER.id, CHANNEL.id, text);
    const reply = await discord.messages.waitFor(({ authorId }) => authorId === BOT_ID, { after: id, ...WAIT });
    return reply.content;
  };

  await gateway.connect();
  await expect.poll(() => guilds).toStrictEqual([GUILD.name]);
  expect(await replyTo('tea')).toBe('heard tea');
  await client.api.applicationCommands.bulkOverwriteGlobalCommands(APPLICATION.id, [ECHO]);
  const echo = discord.people.slash(MEMBER.id, CHANNEL.id, 'echo', { text: 'coffee' });
  expect(await echo.reply(WAIT)).toMatchObject({ content: 'coffee' });
  const [before] = discord.gateway.sessions();
  discord.gateway.dropAll();
  expect(await replyTo('while you were away')).toBe('heard while you were away');
  expect(discord.gateway.sessions()).toMatchObject([{ id: before?.id, connected: true }]);
});
