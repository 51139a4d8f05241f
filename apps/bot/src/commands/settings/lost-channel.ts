import { type GuildId, mayManageGuild, type RecordSettings, type Snowflake } from '@guild-settings/contract';
import { type DeclaredSettings, type Setting, valueIn } from '@guild-settings/contract/settings';
import { type Client, GatewayDispatchEvents, type Guild } from 'discord.js';
import { type Channels, channelIdOf, mayWrite, type Post } from '../../discord/channels.ts';
import type { Services } from '../../framework/command.ts';
import { nameOf } from '../../framework/options.ts';
import { literal } from '../../i18n/text.ts';
import { translatorOf } from '../../i18n/translator.ts';
import { settingName } from '../../settings/setting-texts.ts';
import { pageLines } from './page-lines.ts';

interface LostChannelOptions {
  readonly channels: Pick<Channels, 'stateOf' | 'post' | 'direct'>;
  readonly settingsOf: (guildId: GuildId) => Readonly<RecordSettings>;
  readonly declared: () => DeclaredSettings;
  readonly pageOf: Services['pageOf'];
  /** Returns the user who changed a setting last; undefined: the service does not know. */
  readonly lastAuthor: (guildId: GuildId, setting: Setting) => Promise<Snowflake | undefined>;
  readonly onError: (error: unknown, loss: ChannelLoss) => void;
}

interface ChannelLoss {
  readonly guildId: GuildId;
  readonly channelId: Snowflake;
  readonly isDeleted: boolean;
}

/** Says that a channel was lost which a setting names, when Discord reports its deletion or that the bot may no longer write in it. */
export function tellLostChannels(client: Client, options: LostChannelOptions): void {
  const { settingsOf, declared, onError } = options;
  const channelsOf = (guildId: GuildId) => declared().all.flatMap((one) => channelsIn(one, settingsOf(guildId)));
  followLosses(
    client,
    (guildId) => [...new Set(channelsOf(guildId))],
    (loss) => void tellLoss(client, loss, options).catch((error) => onError(error, loss)),
  );
}

/**
 * Says once that a channel was lost: where Discord tells moderators of the server what changes, else where it tells of members, else to
 * the manager who set it last. The setting stays as it is. Discord discards a second message with the nonce, which another process of
 * the bot may send.
 */
async function tellLoss(
  client: Client,
  { guildId, channelId, isDeleted }: ChannelLoss,
  { channels, settingsOf, declared, pageOf, lastAuthor }: LostChannelOptions,
): Promise<void> {
  const settings = settingsOf(guildId);
  const naming = declared()
    .all.filter((setting) => channelsIn(setting, settings).includes(channelId))
    // Writing in the channels of a team's settings is for the team's own bot.
    .filter(({ place }) => isDeleted || place === 'record');
  const [first] = naming;
  const guild = client.guilds.cache.get(guildId);
  if (first === undefined || guild === undefined) return;
  const translator = translatorOf(settings, declared());
  const { t } = translator;
  const command = nameOf({ translator, prefix: '/' }, ['settings', 'set'], first.name);
  const names = translator.list(naming.map((setting) => `**${settingName(setting, translator)}**`));
  const lost = isDeleted
    ? t('channel.deleted', { settings: names, command })
    : t('channel.lost', { settings: names, command, channel: `<#${channelId}>` });
  const lines = [lost, ...pageLines({ guildId, translator }, { pageOf })];
  const post = (content: string): Post => ({ content, nonce: `lost-${channelId}`, mentions: { parse: [] } });

  for (const id of [guild.publicUpdatesChannelId, guild.systemChannelId]) {
    if (id === null || (await channels.stateOf(guildId, id)) !== 'writable') continue;
    if ((await channels.post(id, post(lines.join('\n')))) === 'posted') return;
  }
  const userId = await lastAuthor(guildId, first);
  if (userId === undefined || !(await manages(guild, userId))) return;
  const direct = await channels.direct(userId);
  await channels.post(direct, post([`**${literal(guild.name)}**`, ...lines].join('\n')));
}

function channelsIn(setting: Setting, settings: RecordSettings): Snowflake[] {
  if (setting.declared.kind !== 'channel') return [];
  const items = [valueIn(settings, setting) ?? setting.default].flat();
  return items.flatMap((item) => channelIdOf(String(item)) ?? []);
}

async function manages(guild: Guild, userId: Snowflake): Promise<boolean> {
  const member = await guild.members.fetch(userId).catch(() => undefined);
  if (member === undefined) return false;
  return mayManageGuild({ owner: guild.ownerId === userId, permissions: member.permissions.bitfield });
}

/** Events after which the bot may have other permissions. Its own member is sent without a privileged intent. */
const PERMISSION_EVENTS = [
  GatewayDispatchEvents.ChannelUpdate,
  GatewayDispatchEvents.GuildRoleUpdate,
  GatewayDispatchEvents.GuildRoleDelete,
  GatewayDispatchEvents.GuildMemberUpdate,
] as const;

const DELETIONS = [GatewayDispatchEvents.ChannelDelete, GatewayDispatchEvents.ThreadDelete] as const;

interface GuildEvent {
  readonly guild_id?: string;
  readonly id?: string;
}

/**
 * Observes the loss of channels by the events of the gateway, which come before discord.js has updated its cache: what is lost is what
 * was writable before an event and is not afterwards. Nothing is kept, so a restart repeats nothing.
 */
function followLosses(
  client: Client,
  channelsOf: (guildId: GuildId) => readonly Snowflake[],
  onLoss: (loss: ChannelLoss) => void,
): void {
  const isWritable = (channelId: Snowflake) => {
    const channel = client.channels.cache.get(channelId);
    return channel !== undefined && !channel.isDMBased() && channel.isTextBased() && mayWrite(channel);
  };
  for (const event of DELETIONS) {
    client.ws.on(event as never, ({ guild_id: guildId = '', id }: GuildEvent) => {
      // With a channel, its threads are deleted.
      const isLost = (channelId: Snowflake) => channelId === id || parentOf(client, channelId) === id;
      for (const channelId of channelsOf(guildId).filter(isLost)) onLoss({ guildId, channelId, isDeleted: true });
    });
  }
  for (const event of PERMISSION_EVENTS) {
    client.ws.on(event as never, ({ guild_id: guildId = '' }: GuildEvent) => {
      const before = channelsOf(guildId).filter(isWritable);
      if (before.length === 0) return;
      queueMicrotask(() => {
        for (const channelId of before) {
          if (!isWritable(channelId)) onLoss({ guildId, channelId, isDeleted: false });
        }
      });
    });
  }
}

function parentOf(client: Client, channelId: Snowflake): Snowflake | null {
  const channel = client.channels.cache.get(channelId);
  return channel?.isThread() ? channel.parentId : null;
}
