import { clientCredentials, createGuildSettingsClient } from '@guild-settings/client';
import { DeclaredSettings, type Setting, textIn } from '@guild-settings/contract/settings';
import { reportPresence } from '@guild-settings/presence';
import { openReplica } from '@guild-settings/replica';
import { Client, Events, GatewayIntentBits } from 'discord.js';
import { settings } from './settings.ts';

const env = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`Expected the environment variable ${name}`);
  return value;
};
const { DISCORD_API_URL: discordApiUrl = 'https://discord.com/api/v10' } = process.env;
const [url, applicationId, clientSecret] = [
  env('API_URL'),
  env('DISCORD_APPLICATION_ID'),
  env('DISCORD_CLIENT_SECRET'),
];

const token = clientCredentials({ discordApiUrl, applicationId, clientSecret });
const service = createGuildSettingsClient({ url, token, settings });
const replica = openReplica({
  apiUrl: url,
  credentials: token,
  path: './data/replica.db',
  settings,
  log: console,
  onRemoved: (guildId) => presence.reportAgain(guildId),
});
const client = new Client({
  intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers],
  rest: { api: discordApiUrl.replace(/\/v10$/, '') },
});
const presence = reportPresence(client, service, { onError: console.error });

client.on(Events.Error, console.error);

client.on(Events.GuildMemberAdd, async (member) => {
  const { welcomeOn, welcomeChannel, welcomeMessage, autoRoles } = replica.get(member.guild.id).custom;
  // Roles are given one by one, so that a deleted role does not keep the others from being given.
  for (const role of autoRoles) await member.roles.add(role).catch(console.error);
  const text = welcomeMessage.split('{user}').map(literal).join(`<@${member.id}>`);
  if (welcomeOn) await post(member.guild.id, welcomeChannel, text, [member.id]);
});

// The settings that a first start reads are no change. After a restart, those that were made meanwhile are.
if (replica.status.state === 'SYNCING') void replica.waitUntilLive().then(followChanges, console.error);
else followChanges();

function followChanges(): void {
  // The range of changes of the newest event: those after the first revision, up to the second.
  let [previous, current] = [0, replica.metrics.revision];
  let posts = Promise.resolve();
  replica.on('change', (guildId) => {
    const { revision } = replica.metrics;
    // A restored backup of the service has lower revisions.
    if (revision !== current) [previous, current] = [Math.min(current, revision - 1), revision];
    const range = { after: previous, before: current + 1 };
    posts = posts.then(() => postChanges(guildId, range)).catch(console.error);
  });
}

async function postChanges(guild: string, range: { readonly after: number; readonly before: number }): Promise<void> {
  const { language, custom } = replica.get(guild);
  if (custom.modLogChannel === '') return;
  const { entries } = await service.guilds.history.query({ guild, kind: 'settings', ...range });
  for (const { revision, actor, changes } of entries.reverse()) {
    const author = actor.kind === 'user' && actor.id !== null ? `<@${actor.id}>` : literal(actor.kind);
    const lines = Object.entries(changes).map(([field, change]) => differenceText(field, change, language));
    await post(guild, custom.modLogChannel, [`**#${revision}** · ${author}`, ...lines].join('\n'));
  }
}

const declared = new DeclaredSettings(settings);

function differenceText(field: string, { from, to }: { from?: unknown; to?: unknown }, language: string): string {
  const setting = declared.byField.get(field);
  const label = textIn(setting?.declared.label, language) ?? field;
  return `- **${literal(label)}**: ${valueText(from, setting, language)} → ${valueText(to, setting, language)}`;
}

function valueText(value: unknown, setting: Setting | undefined, language: string): string {
  if (value === '' || (Array.isArray(value) && value.length === 0)) return '–';
  if (Array.isArray(value)) return value.map((item) => valueText(item, setting, language)).join(', ');
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const text = String(value);
  if (setting?.declared.kind === 'channel') return `<#${text}>`;
  if (setting?.declared.kind === 'role') return `<@&${text}>`;
  if (setting?.declared.kind === 'choice') return literal(textIn(setting.declared.choices[text], language) ?? text);
  if (setting?.declared.kind === 'duration') return `${text} s`;
  if (setting?.declared.kind === 'integer') return literal(`${text} ${setting.declared.unit ?? ''}`.trim());
  return literal(text.replaceAll(/\s+/g, ' '));
}

/** Escapes what Discord would take for formatting or for a mention, without the characters that reorder a text. */
function literal(text: string): string {
  return text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '').replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** Posts into a channel of a guild, where the bot may. Mentions of nobody but the given users notify. */
async function post(guildId: string, channelId: string, text: string, users: string[] = []): Promise<void> {
  const channel = client.channels.cache.get(channelId);
  if (!channel?.isSendable() || channel.isDMBased() || channel.guildId !== guildId) return;
  const content = [...text].slice(0, 2_000).join('');
  await channel.send({ content, allowedMentions: { parse: [], users } }).catch(console.error);
}

async function stop() {
  await presence.stop();
  await client.destroy();
  await replica.close();
}
process.once('SIGTERM', stop).once('SIGINT', stop);
await client.login(env('DISCORD_BOT_TOKEN'));
