import { type Client, ShardClientUtil } from 'discord.js';

/** The bot's connection to Discord. */
export interface Connection {
  /** Markdown that mentions the bot. */
  readonly mention: string;
  /** Number of guilds of this process. */
  readonly guilds: number;
  /** Returns the shard of a guild, and the number of all shards. */
  shardOf(guildId: string): { readonly id: number; readonly count: number };
}

/** Returns the connection of a discord.js client. */
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
