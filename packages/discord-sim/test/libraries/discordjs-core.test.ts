import { Client, GatewayDispatchEvents, InteractionType } from '@discordjs/core';
import { REST } from '@discordjs/rest';
import { CompressionMethod, WebSocketManager, WebSocketShardEvents } from '@discordjs/ws';
import { GatewayIntentBits } from 'discord-api-types/v10';
import type { DiscordSim } from '../../src/sim.ts';
import { BOT_ID, BOT_TOKEN } from '../../src/testing/bot-sim.ts';
import { APPLICATION } from '../../src/testing/populated-sim.ts';
import { COMMANDS, type LibraryBot, testLibrary } from './library-suite.ts';

const { Guilds, GuildMembers, GuildMessages, MessageContent } = GatewayIntentBits;

async function startBot({ url }: DiscordSim): Promise<LibraryBot> {
  const rest = new REST({ api: `${url}/api` }).setToken(BOT_TOKEN);
  const gateway = new WebSocketManager({
    token: BOT_TOKEN,
    intents: Guilds | GuildMembers | GuildMessages | MessageContent,
    rest,
    compression: CompressionMethod.ZlibNative,
    buildIdentifyThrottler: async () => ({ waitForIdentify: async () => undefined }),
  });
  const client = new Client({ rest, gateway });
  const guilds = new Map<string, { readonly name: string; readonly channels: readonly string[] }>();
  let heartbeats = 0;
  gateway.on(WebSocketShardEvents.HeartbeatComplete, () => (heartbeats += 1));
  client.on(GatewayDispatchEvents.GuildCreate, ({ data: { id, name, channels } }) => {
    guilds.set(id, { name, channels: channels.map((channel) => channel.name ?? '') });
  });
  client.on(GatewayDispatchEvents.MessageCreate, async ({ api, data: { author, channel_id, content } }) => {
    if (author.id !== BOT_ID) await api.channels.createMessage(channel_id, { content: `heard ${content}` });
  });
  client.on(GatewayDispatchEvents.InteractionCreate, async ({ api, data }) => {
    if (data.type !== InteractionType.ApplicationCommand || !('options' in data.data)) return;
    const [option] = data.data.options ?? [];
    const content = option && 'value' in option ? String(option.value) : '';
    if (data.data.name === 'echo') return void (await api.interactions.reply(data.id, data.token, { content }));
    await api.interactions.defer(data.id, data.token);
    await api.interactions.editReply(data.application_id, data.token, { content });
    await api.interactions.followUp(data.application_id, data.token, { content: `${content} again` });
  });
  const ready = new Promise((resolve) => void client.once(GatewayDispatchEvents.Ready, resolve));
  await gateway.connect();
  await ready;
  return {
    guild: (id) => guilds.get(id) ?? null,
    heartbeats: () => heartbeats,
    register: async () =>
      void (await client.api.applicationCommands.bulkOverwriteGlobalCommands(APPLICATION.id, COMMANDS)),
    userName: async (id) => (await client.api.users.get(id)).username,
    [Symbol.asyncDispose]: async () => {
      await gateway.destroy();
    },
  };
}

testLibrary('@discordjs/core', startBot);
