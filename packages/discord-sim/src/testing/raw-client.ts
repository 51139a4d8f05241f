import { once } from 'node:events';
import { waitUntil } from '@guild-settings/testing';
import { GatewayIntentBits, GatewayOpcodes } from 'discord-api-types/v10';
import { WebSocket } from 'ws';
import type { DiscordSim } from '../sim.ts';
import { BOT_TOKEN } from './bot-sim.ts';

/** The smallest IDENTIFY that Discord accepts, with intents for guilds and messages. */
export const IDENTIFY = {
  token: BOT_TOKEN,
  intents: GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages,
  properties: {},
};

/** A frame of the gateway. */
export interface ReceivedFrame {
  readonly op: number;
  readonly t: string | null;
  readonly s: number | null;
  readonly d: unknown;
}

/** Connects a client that speaks the protocol by hand, waits for HELLO, and keeps the frames that it receives. */
export async function rawClient({ url }: DiscordSim, pathAndQuery = '/gateway?v=10&encoding=json') {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${pathAndQuery}`);
  const heard: ReceivedFrame[] = [];
  const binary: Buffer[] = [];
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) binary.push(data);
    else heard.push(JSON.parse(String(data)));
  });
  const closed = once(socket, 'close').then(([code, reason]) => ({ code: Number(code), reason: String(reason) }));
  await Promise.race([once(socket, 'message'), closed]);
  return {
    heard,
    /** The compressed frames. */
    binary,
    /** The code and the reason that the connection is closed with. */
    closed,
    send: (op: number, d: unknown) => socket.send(JSON.stringify({ op, d })),
    sendText: (text: string) => socket.send(text),
    close: (code?: number) => socket.close(code),
    events: () => heard.flatMap(({ t }) => (t === null ? [] : [t])),
  };
}

/** Connects a client that identifies, with a part of the IDENTIFY changed, and waits for READY and a guild. */
export async function identifiedClient(discord: DiscordSim, change: object = {}) {
  const client = await rawClient(discord);
  client.send(GatewayOpcodes.Identify, { ...IDENTIFY, ...change });
  await waitUntil(() => client.events().length === 2);
  return client;
}
