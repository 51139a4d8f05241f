import type { GuildId, Snowflake } from '@guild-settings/contract';
import { type Client, GatewayDispatchEvents } from 'discord.js';
import { mayWrite } from './channels.ts';

export interface ChannelLoss {
  readonly guildId: GuildId;
  readonly channelId: Snowflake;
  readonly isDeleted: boolean;
}

/** Events after which the bot may have other permissions. Its own member is sent without a privileged intent. */
const PERMISSION_EVENTS = [
  GatewayDispatchEvents.ChannelUpdate,
  GatewayDispatchEvents.GuildRoleUpdate,
  GatewayDispatchEvents.GuildRoleDelete,
  GatewayDispatchEvents.GuildMemberUpdate,
] as const;

const DELETIONS = [GatewayDispatchEvents.ChannelDelete, GatewayDispatchEvents.ThreadDelete] as const;

export interface ChannelLossOptions {
  readonly channelsOf: (guildId: GuildId) => readonly Snowflake[];
  readonly onLoss: (loss: ChannelLoss) => void;
}

interface GuildEvent {
  readonly guild_id?: string;
  readonly id?: string;
}

/**
 * Observes the loss of channels by the events of the gateway, which come before discord.js has updated its cache: what is lost is what
 * was writable before an event and is not afterwards. Nothing is kept, so a restart repeats nothing.
 */
export function followChannelLosses(client: Client, { channelsOf, onLoss }: ChannelLossOptions): void {
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
