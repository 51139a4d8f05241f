import { once } from 'node:events';
import { connect } from 'node:net';
import { guildId } from '../data/guild-ids.ts';
import { recordOf } from '../data/records.ts';
import { TOKENS } from '../data/world.ts';
import { CHANNEL } from './fan-out-watchers.ts';
import { openConnection } from './http-connection.ts';

/** Makes changes that have a text. */
export interface Publisher extends Disposable {
  /** Resolves with the response. */
  publish(value: string): Promise<unknown>;
}

export interface PublisherOptions {
  readonly from: 'service' | 'socket-loop' | 'redis';
  readonly origin: string;
}

/** Connects to a server. */
export function openPublisher({ from, origin }: PublisherOptions): Promise<Publisher> {
  return from === 'redis' ? openRedis(origin) : openHttp(origin);
}

/** Changes a guild by PATCH. */
async function openHttp(origin: string): Promise<Publisher> {
  let fail = (_error: Error) => {};
  const connection = await openConnection(origin, (error) => fail(error));
  const path = `/guilds/${guildId(0)}`;
  const head = [
    `PATCH ${path} HTTP/1.1`,
    `host: ${new URL(origin).host}`,
    `authorization: Bearer ${TOKENS.application}`,
    'content-type: application/json',
    'content-length: ',
  ].join('\r\n');
  return {
    publish: (prefix) =>
      new Promise<void>((resolve, reject) => {
        fail = reject;
        const body = JSON.stringify({ prefix });
        connection.send(`${head}${body.length}\r\n\r\n${body}`, (status) =>
          status === 200 ? resolve() : reject(new Error(`Expected 200 of PATCH ${origin}${path}, received ${status}`)),
        );
      }),
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}

/** Publishes an event of the size of the service's. */
async function openRedis(origin: string): Promise<Publisher> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  return {
    publish(prefix) {
      const event = JSON.stringify({ type: 'guild', revision: 1, guild: { ...recordOf(guildId(0), 0), prefix } });
      const parts = ['PUBLISH', CHANNEL, event].map((part) => `$${part.length}\r\n${part}\r\n`);
      socket.write(`*${parts.length}\r\n${parts.join('')}`);
      return once(socket, 'data');
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}
