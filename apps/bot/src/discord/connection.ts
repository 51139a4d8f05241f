import { type Client, ShardClientUtil } from 'discord.js';
import type { Connection } from '../framework/services.ts';

/** What commands say of the connection that a client has. */
export function connectionOf(client: Client, applicationId: string): Connection {
  return {
    get mention() {
      return `<@${client.user?.id ?? applicationId}>`;
    },
    get guilds() {
      return client.guilds.cache.size;
    },
    shardOf(guildId) {
      const count = client.options.shardCount ?? 1;
      return { id: ShardClientUtil.shardIdForGuildId(guildId, count), count };
    },
  };
}
