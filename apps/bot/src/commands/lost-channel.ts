import { type GuildId, mayManageGuild, type RecordSettings, type Snowflake } from '@guild-settings/contract';
import {
  type ChannelPermission,
  type DeclaredSettings,
  lackingIn,
  referencesIn,
  type Setting,
  valueIn,
} from '@guild-settings/contract/settings';
import { botChannelOf, channelIdOf, literal, nameOf, pageLines, settingName } from '@guild-settings/discord/framework';
import { permissionList } from '@guild-settings/i18n';
import { type Client, GatewayDispatchEvents, type Guild } from 'discord.js';
import type { Services } from '../commands/services.ts';
import type { Channels, Post } from '../discord/channels.ts';
import { botText, VOCABULARY } from '../i18n/bot-text.ts';

interface LostChannelOptions {
  readonly channels: Pick<Channels, 'stateOf' | 'post' | 'direct'>;
  readonly settingsOf: (guildId: GuildId) => Readonly<RecordSettings>;
  readonly declared: () => DeclaredSettings;
  readonly pageOf: Services['pageOf'];
  /** Returns the user who last changed a setting; undefined: unknown to the service. */
  readonly lastAuthor: (guildId: GuildId, setting: Setting) => Promise<Snowflake | undefined>;
  readonly onError: (error: unknown, loss: ChannelLoss) => void;
}

/** A channel in a setting. */
interface NamedChannel {
  readonly setting: Setting;
  /** The setting that uses it; in a table, the column. */
  readonly needing: Setting;
  readonly channelId: Snowflake;
}

interface ChannelLoss {
  readonly guildId: GuildId;
  readonly channelId: Snowflake;
  /** The settings with this channel that are affected by the loss. */
  readonly settings: readonly Setting[];
  /** The permissions that the bot now lacks for them; undefined: the channel was deleted. */
  readonly lacking: readonly ChannelPermission[] | undefined;
}

/**
 * Reports that a channel in a setting was lost, when Discord deletes it or the bot no longer has the permissions that
 * the setting needs.
 */
export function tellLostChannels(client: Client, options: LostChannelOptions): void {
  const { settingsOf, declared, onError } = options;
  followLosses(
    client,
    (guildId) => declared().all.flatMap((setting) => channelsIn(setting, settingsOf(guildId))),
    (loss) => void tellLoss(client, loss, options).catch((error) => onError(error, loss)),
  );
}

/**
 * Reports once that a channel was lost: in the server's channel for moderator updates, otherwise in its system channel,
 * otherwise to the manager who last changed the setting. The setting does not change. Discord discards a second message
 * with the same nonce, which another process of the bot may send.
 */
async function tellLoss(
  client: Client,
  { guildId, channelId, settings: naming, lacking }: ChannelLoss,
  { channels, settingsOf, declared, pageOf, lastAuthor }: LostChannelOptions,
): Promise<void> {
  const [first] = naming;
  const guild = client.guilds.cache.get(guildId);
  if (first === undefined || guild === undefined) return;
  const translator = VOCABULARY.translatorOf(settingsOf(guildId), declared());
  const t = botText(translator);
  const command = nameOf({ translator, prefix: '/' }, ['settings', 'set'], first.name);
  const names = translator.list(naming.map((setting) => `**${settingName(setting, translator)}**`));
  const lost =
    lacking === undefined
      ? t('channel.deleted', { settings: names, command })
      : t('channel.lost', {
          settings: names,
          command,
          channel: `<#${channelId}>`,
          permissions: permissionList(lacking, translator),
        });
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

function channelsIn(setting: Setting, settings: RecordSettings): NamedChannel[] {
  return referencesIn(setting, valueIn(settings, setting) ?? setting.default).flatMap(({ setting: needing, id }) => {
    const channelId = needing.declared.kind === 'channel' ? channelIdOf(id) : undefined;
    return channelId === undefined ? [] : { setting, needing, channelId };
  });
}

async function manages(guild: Guild, userId: Snowflake): Promise<boolean> {
  const member = await guild.members.fetch(userId).catch(() => undefined);
  if (member === undefined) return false;
  return mayManageGuild({ owner: guild.ownerId === userId, permissions: member.permissions.bitfield });
}

/** Events after which the bot's permissions may differ. The bot's own member is sent without a privileged intent. */
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
 * Observes lost channels by gateway events, which arrive before discord.js has updated its cache: a loss is what the
 * bot could do before an event but not after it. State is not kept, so a restart does not repeat reports.
 */
function followLosses(
  client: Client,
  namedIn: (guildId: GuildId) => readonly NamedChannel[],
  onLoss: (loss: ChannelLoss) => void,
): void {
  const report = (guildId: GuildId, lost: readonly NamedChannel[], isDeleted: boolean) => {
    for (const [channelId, named] of Map.groupBy(lost, (one) => one.channelId)) {
      const settings = [...new Set(named.map(({ setting }) => setting))];
      const lacking = named.flatMap((one) => lackingOf(client, one) ?? []);
      onLoss({ guildId, channelId, settings, lacking: isDeleted ? undefined : [...new Set(lacking)] });
    }
  };
  for (const event of DELETIONS) {
    client.ws.on(event as never, ({ guild_id: guildId = '', id }: GuildEvent) => {
      // Deleting a channel deletes its threads.
      const isLost = ({ channelId }: NamedChannel) => channelId === id || parentOf(client, channelId) === id;
      report(guildId, namedIn(guildId).filter(isLost), true);
    });
  }
  /** Guilds with an event whose effect is going to be checked. Several events may share a check. */
  const pending = new Set<GuildId>();
  for (const event of PERMISSION_EVENTS) {
    client.ws.on(event as never, ({ guild_id: guildId = '' }: GuildEvent) => {
      const before = namedIn(guildId).filter((one) => lackingOf(client, one)?.length === 0);
      if (before.length === 0 || pending.has(guildId)) return;
      pending.add(guildId);
      queueMicrotask(() => {
        pending.delete(guildId);
        // A timeout ends without intervention.
        if (client.guilds.cache.get(guildId)?.members.me?.isCommunicationDisabled()) return;
        const isLost = (one: NamedChannel) => (lackingOf(client, one) ?? []).length > 0;
        report(guildId, before.filter(isLost), false);
      });
    });
  }
}

/**
 * Returns the permissions that the bot lacks for a setting in its channel; undefined: the client does not know the
 * channel.
 */
function lackingOf(client: Client, { needing, channelId }: NamedChannel): readonly ChannelPermission[] | undefined {
  const channel = client.channels.cache.get(channelId);
  return channel === undefined || channel.isDMBased() ? undefined : lackingIn(needing, botChannelOf(channel));
}

function parentOf(client: Client, channelId: Snowflake): Snowflake | null {
  const channel = client.channels.cache.get(channelId);
  return channel?.isThread() ? channel.parentId : null;
}
