import { type GuildId, mayManageGuild, type RecordSettings, type Snowflake } from '@guild-settings/contract';
import type { DeclaredSettings, Setting } from '@guild-settings/contract/settings';
import type { Client, Guild } from 'discord.js';
import type { ChannelLoss } from '../../discord/channel-losses.ts';
import type { Channels, Post } from '../../discord/channels.ts';
import type { Services } from '../../framework/command.ts';
import { nameOf } from '../../framework/command-texts.ts';
import { literal } from '../../i18n/text.ts';
import { translatorOf } from '../../i18n/translator.ts';
import { settingsNaming } from '../../settings/named-channels.ts';
import { settingName } from '../../settings/setting-texts.ts';
import { pageLines } from './page-lines.ts';

export interface LostChannelOptions {
  readonly client: Client;
  readonly channels: Pick<Channels, 'stateOf' | 'post' | 'direct'>;
  readonly settingsOf: (guildId: GuildId) => Readonly<RecordSettings>;
  readonly declared: () => DeclaredSettings;
  readonly pageOf: Services['pageOf'];
  /** Returns the user who changed a setting last; undefined: the service does not know. */
  readonly lastAuthor: (guildId: GuildId, setting: Setting) => Promise<Snowflake | undefined>;
}

/**
 * Returns a function that says once that a channel was lost which a setting names: where Discord tells moderators of the server what
 * changes, else where it tells of members, else to the manager who set it last. The setting stays as it is. Discord discards a second
 * message with the nonce, which another process of the bot may send.
 */
export function lostChannelNotice(options: LostChannelOptions): (loss: ChannelLoss) => Promise<void> {
  const { client, channels, settingsOf, declared, pageOf, lastAuthor } = options;
  return async ({ guildId, channelId, isDeleted }) => {
    const settings = settingsOf(guildId);
    // Writing in the channels of a team's settings is for the team's own bot.
    const naming = settingsNaming(channelId, settings, declared()).filter(
      ({ place }) => isDeleted || place === 'record',
    );
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
  };
}

async function manages(guild: Guild, userId: Snowflake): Promise<boolean> {
  const member = await guild.members.fetch(userId).catch(() => undefined);
  if (member === undefined) return false;
  return mayManageGuild({ owner: guild.ownerId === userId, permissions: member.permissions.bitfield });
}
