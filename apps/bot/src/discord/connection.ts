import { type Client, GatewayIntentBits, ShardClientUtil } from 'discord.js';

/** The bot's connection to Discord. */
export type Connection = ReturnType<typeof connectionOf>;

/** Returns the connection of a discord.js client. */
export function connectionOf(client: Client, applicationId: string) {
  return {
    /** Markdown that mentions the bot. */
    get mention() {
      return `<@${client.user?.id ?? applicationId}>`;
    },
    /** Whether messages can be commands. */
    readsMessages: client.options.intents.has(GatewayIntentBits.MessageContent),
    /** Number of guilds of this process. */
    get guilds() {
      return client.guilds.cache.size;
    },
    /** Returns the shard of a guild, and the number of all shards. */
    shardOf(guildId: string) {
      const count = client.options.shardCount ?? 1;
      return { id: ShardClientUtil.shardIdForGuildId(guildId, count), count };
    },
  };
}
