import { clientCredentials, createGuildSettingsClient } from '@guild-settings/client';
import { reportPresence, settingsCommand } from '@guild-settings/discord';
import { DeclaredSettings, isRow, openReplica, type Setting, textIn } from '@guild-settings/replica';
import { Client, Events, GatewayIntentBits, type GuildMember } from 'discord.js';
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
  intents: [
    GatewayIntentBits.Guilds,
    GatewayIntentBits.GuildMembers,
    GatewayIntentBits.GuildMessages,
    GatewayIntentBits.MessageContent,
  ],
  rest: { api: discordApiUrl.replace(/\/v10$/, '') },
});
const presence = reportPresence(client, service);
const command = settingsCommand(client, {
  service,
  replica,
  prefix: true,
  dashboardUrl: process.env.DASHBOARD_URL ?? url,
});

client.on(Events.Error, console.error);

client.on(Events.GuildMemberAdd, async (member) => {
  const { welcomeOn, welcomeChannel, welcomeMessage, autoRoles } = replica.get(member.guild.id).custom;
  // Roles are assigned one by one, so that a deleted role does not prevent the others.
  for (const role of autoRoles) await member.roles.add(role).catch(console.error);
  const { name, memberCount } = member.guild;
  const text = filled(welcomeMessage, { user: `<@${member.id}>`, server: literal(name), count: String(memberCount) });
  if (welcomeOn) await post(member.guild.id, welcomeChannel, text, [member.id]);
});

/** Returns a manager's text, which may contain formatting, with the values of its placeholders. */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name) => values[name] ?? placeholder);
}

const XP = { perMessage: 10, perLevel: 100 } as const;

/** The XP and the warnings of members since the start. */
const members = new Map<string, { xp: number; at: number; warns: number }>();

function memberOf(guildId: string, userId: string) {
  const key = `${guildId}/${userId}`;
  const member = members.get(key) ?? { xp: 0, at: 0, warns: 0 };
  members.set(key, member);
  return member;
}

client.on(Events.MessageCreate, async ({ author, channel, channelId, createdTimestamp, guildId }) => {
  if (guildId === null || author.bot || !channel.isSendable()) return;
  const { levelsOn, xpRate, xpCooldown, noXpChannels, levelUpMessage, embedColor } = replica.get(guildId).custom;
  const member = memberOf(guildId, author.id);
  if (!levelsOn || noXpChannels.includes(channelId) || createdTimestamp < member.at + xpCooldown * 1_000) return;
  const before = levelOf(member);
  member.xp += XP.perMessage * xpRate;
  member.at = createdTimestamp;
  const level = levelOf(member);
  if (level === before) return;
  const description = filled(levelUpMessage, { user: `<@${author.id}>`, level: String(level) });
  const embeds = [{ description, color: Number.parseInt(embedColor.slice(1), 16) }];
  await channel.send({ embeds, allowedMentions: { parse: [] } }).catch(console.error);
});

function levelOf({ xp }: { readonly xp: number }): number {
  return Math.floor(xp / XP.perLevel);
}

client.on(Events.MessageCreate, async (message) => {
  if (!message.inGuild() || message.author.bot || message.member === null) return;
  const { spam, blockedWords, staffRole, warnThresholds } = replica.get(message.guildId).custom;
  const text = message.content.toLowerCase();
  const isAllowed = !blockedWords.some((word) => text.includes(word.toLowerCase()));
  if (isAllowed || spam === 'off' || message.member.roles.cache.has(staffRole)) return;
  if (spam === 'delete') await message.delete().catch(console.error);
  const member = memberOf(message.guildId, message.author.id);
  member.warns += 1;
  const threshold = warnThresholds.find(({ warns }) => warns === member.warns);
  if (threshold !== undefined) await punish(message.member, threshold).catch(console.error);
});

type Threshold = ReturnType<typeof replica.get>['custom']['warnThresholds'][number];

async function punish(member: GuildMember, { action, minutes }: Threshold): Promise<void> {
  const { muteRole } = replica.get(member.guild.id).custom;
  switch (action) {
    case 'kick':
      return void (await member.kick());
    case 'ban':
      return void (await member.ban());
    case 'mute':
      if (muteRole === '') return;
      await member.roles.add(muteRole);
      if (minutes > 0) setTimeout(() => member.roles.remove(muteRole).catch(console.error), minutes * 60_000).unref();
  }
}

// The settings that a first start reads are not changes. After a restart, changes made meanwhile are.
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
  for (const { revision, at, actor, changes } of entries.reverse()) {
    const author = actor.kind === 'user' && actor.id !== null ? `<@${actor.id}>` : literal(actor.kind);
    const lines = Object.entries(changes).map(([field, change]) => differenceText(field, change, language));
    await post(
      guild,
      custom.modLogChannel,
      [`**#${revision}** · ${author} · ${timeText(at, custom.timeZone, language)}`, ...lines].join('\n'),
    );
  }
}

function timeText(at: string, timeZone: string, language: string): string {
  try {
    return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
      new Date(at),
    );
  } catch {
    // The service may know a zone that this Node does not have yet.
    return at;
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
  if (isRow(value)) {
    const cells = setting?.columns?.map((column) => valueText(value[column.name], column, language)) ?? [];
    return `(${cells.join(' · ')})`;
  }
  const text = String(value);
  switch (setting?.declared.kind) {
    case 'channel':
      return `<#${text}>`;
    case 'role':
      return `<@&${text}>`;
    case 'choice':
      return literal(textIn(setting.declared.choices[text], language) ?? text);
    case 'duration':
      return `${text} s`;
    case 'integer':
    case 'number':
      return literal(`${text} ${setting.declared.unit ?? ''}`.trim());
    default:
      return literal(text.replaceAll(/\s+/g, ' '));
  }
}

/** Escapes characters that Discord would interpret as formatting or mentions, and removes those that reorder text. */
function literal(text: string): string {
  return text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '').replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** Posts into a channel of a guild, if the bot may. Only mentions of the given users notify. */
async function post(guildId: string, channelId: string, text: string, users: string[] = []): Promise<void> {
  const channel = client.channels.cache.get(channelId);
  if (!channel?.isSendable() || channel.isDMBased() || channel.guildId !== guildId) return;
  const content = [...text].slice(0, 2_000).join('');
  await channel.send({ content, allowedMentions: { parse: [], users } }).catch(console.error);
}

async function stop() {
  await command.close();
  await presence.stop();
  await client.destroy();
  await replica.close();
}
process.once('SIGTERM', stop).once('SIGINT', stop);
await client.login(env('DISCORD_BOT_TOKEN'));
