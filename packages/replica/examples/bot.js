import { openReplica } from '@guild-settings/replica';
import { Client, Events, GatewayIntentBits } from 'discord.js';

const { DISCORD_API_URL: discordApiUrl = 'https://discord.com/api/v10' } = process.env;

/** @param {string} name */
function env(name) {
  const value = process.env[name];
  if (value === undefined) throw new Error(`Expected the environment variable ${name}`);
  return value;
}

const replica = openReplica({
  apiUrl: env('API_URL'),
  credentials: {
    applicationId: env('DISCORD_APPLICATION_ID'),
    clientSecret: env('DISCORD_CLIENT_SECRET'),
    discordApiUrl,
  },
  path: './data/replica.db',
  log: console,
});

const { Guilds, GuildMessages, MessageContent } = GatewayIntentBits;
const client = new Client({
  intents: [Guilds, GuildMessages, MessageContent],
  rest: { api: discordApiUrl.replace(/\/v10$/, '') },
});

client.on(Events.MessageCreate, async (message) => {
  if (!message.inGuild() || message.author.bot) return;
  const { prefix, language } = replica.get(message.guildId);
  if (prefix !== '' && message.content === `${prefix}hello`) await message.reply(`Hello in ${language}!`);
});

replica.on('change', async (guildId, before, after) => {
  const channel = client.channels.cache.get(after.announcement_channel);
  if (before.prefix === after.prefix || !channel?.isSendable() || channel.isDMBased()) return;
  if (channel.guildId === guildId) await channel.send(`The prefix is now ${after.prefix}`);
});

async function stop() {
  await client.destroy();
  await replica.close();
}
process.once('SIGTERM', stop).once('SIGINT', stop);
await client.login(env('DISCORD_BOT_TOKEN'));
