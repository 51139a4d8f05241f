import { clientCredentials, createGuildSettingsClient } from '@guild-settings/client';
import { reportPresence, settingsCommand } from '@guild-settings/discord';
import { openReplica } from '@guild-settings/replica';
import { Client } from 'discord.js';
import { settings } from './settings.ts';

const { DISCORD_API_URL: discordApiUrl = 'https://discord.com/api/v10', DISCORD_BOT_TOKEN } = process.env;
const { DISCORD_APPLICATION_ID: applicationId = '', DISCORD_CLIENT_SECRET: clientSecret = '' } = process.env;
const apiUrl = 'http://127.0.0.1:3000';
const token = clientCredentials({ discordApiUrl, applicationId, clientSecret });
const service = createGuildSettingsClient({ url: apiUrl, token });
const replica = openReplica({ apiUrl, credentials: token, path: './data/replica.db', settings, log: console });
replica.on('change', (guildId, _, { custom }) => console.log(guildId, custom.volume / 2)); // typed as a number
const client = new Client({ intents: ['Guilds'], rest: { api: discordApiUrl.replace('/v10', '') } });
reportPresence(client, service);
settingsCommand(client, { service, replica });
await client.login(DISCORD_BOT_TOKEN);
