import { type Client, ShardClientUtil } from 'discord.js';

/** What is known of the connection to Discord. */
export interface Connection {
  /** How people mention the bot. */
  readonly mention: string;
  /** How many guilds this process is in. */
  readonly guilds: number;
  /** The shard that a guild belongs to, and how many there are. */
  shardOf(guildId: string): { readonly id: number; readonly count: number };
}

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
