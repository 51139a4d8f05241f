import { Client, InteractionTypes } from 'oceanic.js';
import type { DiscordSim } from '../../src/sim.ts';
import { BOT_ID, BOT_TOKEN } from '../../src/testing/bot-sim.ts';
import { COMMANDS, type LibraryBot, testLibrary } from './library-suite.ts';

async function startBot({ apiUrl }: DiscordSim): Promise<LibraryBot> {
  const client = new Client({
    auth: `Bot ${BOT_TOKEN}`,
    gateway: { intents: ['GUILDS', 'GUILD_MEMBERS', 'GUILD_MESSAGES', 'MESSAGE_CONTENT'] },
    rest: { baseURL: apiUrl },
  });
  // The tests cut connections.
  client.on('error', () => undefined);
  client.on('messageCreate', async ({ author, channelID, content }) => {
    if (author.id !== BOT_ID) await client.rest.channels.createMessage(channelID, { content: `heard ${content}` });
  });
  client.on('interactionCreate', async (interaction) => {
    if (interaction.type !== InteractionTypes.APPLICATION_COMMAND) return;
    const text = interaction.data.options.getString('text', true);
    if (interaction.data.name === 'echo') return void (await interaction.createMessage({ content: text }));
    await interaction.defer();
    await interaction.editOriginal({ content: text });
    await interaction.createFollowup({ content: `${text} again` });
  });
  const ready = new Promise<void>((resolve) => void client.once('ready', resolve));
  await client.connect();
  await ready;
  return {
    guild(id) {
      const guild = client.guilds.get(id);
      return guild ? { name: guild.name, channels: guild.channels.map(({ name }) => name) } : null;
    },
    heartbeats: () => client.shards.get(0)?.lastHeartbeatReceived ?? 0,
    register: async () => {
      await client.application.bulkEditGlobalCommands(COMMANDS);
    },
    userName: async (id) => (await client.rest.users.get(id)).username,
    [Symbol.asyncDispose]: async () => client.disconnect(false),
  };
}

testLibrary('oceanic.js', startBot);
