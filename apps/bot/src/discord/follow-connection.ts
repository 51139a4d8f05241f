import { type Client, Events, Status } from 'discord.js';

/** Called with the error, if there is one, when a shard loses its connection, and when all shards are connected again. */
export interface ConnectionObserver {
  failed(error: unknown): void;
  recovered(): void;
}

/** Returns whether every shard of the client is connected. */
export function isConnected(client: Client): boolean {
  return client.isReady() && client.ws.shards.every(({ status }) => status === Status.Ready);
}

/** Observes the client's connections to the gateway. discord.js reconnects them itself. */
export function followConnection(client: Client, { failed, recovered }: ConnectionObserver): void {
  const check = () => {
    if (isConnected(client)) recovered();
  };
  client.on(Events.ShardError, failed);
  client.on(Events.ShardReconnecting, () => failed(undefined));
  client.on(Events.ShardReady, check);
  client.on(Events.ShardResume, check);
}
