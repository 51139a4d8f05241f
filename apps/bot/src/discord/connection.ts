import { type Client, Events, GatewayIntentBits, ShardClientUtil, Status } from 'discord.js';

export type Connection = ReturnType<typeof connectionOf>;

export function connectionOf(client: Client, applicationId: string) {
  return {
    get mention() {
      return `<@${client.user?.id ?? applicationId}>`;
    },
    readsMessages: client.options.intents.has(GatewayIntentBits.MessageContent),
    get guilds() {
      return client.guilds.cache.size;
    },
    shardOf(guildId: string) {
      const count = client.options.shardCount ?? 1;
      return { id: ShardClientUtil.shardIdForGuildId(guildId, count), count };
    },
  };
}

/** Called with the error, if there is one, when a shard loses its connection, and when all shards are connected again. */
export interface ConnectionObserver {
  failed(error: unknown): void;
  recovered(): void;
}

export function isConnected(client: Client): boolean {
  return client.isReady() && client.ws.shards.every(({ status }) => status === Status.Ready);
}

export function followConnection(client: Client, { failed, recovered }: ConnectionObserver): void {
  const check = () => {
    if (isConnected(client)) recovered();
  };
  client.on(Events.ShardError, failed);
  client.on(Events.ShardReconnecting, () => failed(undefined));
  client.on(Events.ShardReady, check);
  client.on(Events.ShardResume, check);
}
