import { clientCredentials, createGuildSettingsClient } from '@guild-settings/client';
import { reportPresence } from '@guild-settings/discord';
import { Client } from 'discord.js';

const { DISCORD_APPLICATION_ID: applicationId = '', DISCORD_CLIENT_SECRET: clientSecret = '' } = process.env;
const token = clientCredentials({ discordApiUrl: 'https://discord.com/api/v10', applicationId, clientSecret });
const client = new Client({ intents: ['Guilds'] });
reportPresence(client, createGuildSettingsClient({ url: 'http://127.0.0.1:3000', token }), { onError: console.error });
await client.login(process.env.DISCORD_BOT_TOKEN);
