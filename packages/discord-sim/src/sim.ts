import { setMaxListeners } from 'node:events';
import { CallLog } from './calls/call-log.ts';
import { CHAT_PATH, chat } from './chat/chat.ts';
import type { Clock } from './clock.ts';
import { FaultPlan } from './faults/fault-plan.ts';
import { Gateway, type GatewayOptions } from './gateway/gateway.ts';
import { answerLocalHostsOnly } from './local-hosts.ts';
import { MessageReader } from './people/message-reader.ts';
import { People } from './people/people.ts';
import { API_PREFIX } from './rest/path.ts';
import type { RateLimit } from './rest/rate-limit.ts';
import { restServer } from './rest/rest-server.ts';
import { World } from './world/world.ts';

/** Where to listen and how to behave. */
export interface DiscordSimOptions {
  /** `127.0.0.1` when left out. */
  readonly host?: string;
  /** 0, which is any free port, when left out. */
  readonly port?: number;
  /** Decides when tokens, codes and rate limit windows end; the system's clock when left out. */
  readonly clock?: Clock;
  /** Per token and route. 10,000 calls a second when left out, more than a test makes. */
  readonly rateLimit?: RateLimit;
  readonly gateway?: GatewayOptions;
}

/** A running simulator. */
export interface DiscordSim extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Where the REST API lives: `http://127.0.0.1:PORT/api/v10` */
  readonly apiUrl: string;
  /** A page on which to try a bot by hand: `http://127.0.0.1:PORT/chat` */
  readonly chatUrl: string;
  /** What exists in this Discord. */
  readonly world: World;
  /** The bots that are connected. */
  readonly gateway: Gateway;
  /** People's hands. */
  readonly people: People;
  /** What was written, by people and by bots. */
  readonly messages: MessageReader;
  /** Faults on demand. */
  readonly faults: FaultPlan;
  /** What was asked of it. */
  readonly calls: CallLog;
  /** Stops listening and cuts every connection, hanging ones included. May be called again. */
  close(): Promise<void>;
}

const DEFAULT_RATE_LIMIT: RateLimit = { limit: 10_000, windowMs: 1_000 };

/**
 * Starts a Discord without users, guilds or applications.
 *
 * @throws {Error} with code `EADDRINUSE` when the port is taken
 */
export async function startDiscordSim({
  host = '127.0.0.1',
  port = 0,
  clock = Date.now,
  rateLimit = DEFAULT_RATE_LIMIT,
  gateway: gatewayOptions = {},
}: DiscordSimOptions = {}): Promise<DiscordSim> {
  const world = new World(clock);
  const faults = new FaultPlan();
  const calls = new CallLog(clock);
  const closing = new AbortController();
  // Every delayed answer listens to it.
  setMaxListeners(0, closing.signal);
  const messages = new MessageReader(world, closing.signal);
  const people = new People(world, messages);
  const server = restServer({ world, calls, faults, rateLimit, clock, gatewayOptions, closing: closing.signal });
  chat(server, { world, people, closing: closing.signal });
  const gateway = new Gateway(world, server.server, gatewayOptions);
  await server.ready();
  answerLocalHostsOnly(server.server, host);
  const url = await server.listen({ host, port });

  const close = async (): Promise<void> => {
    closing.abort();
    gateway.close();
    await server.close();
  };
  const apiUrl = `${url}${API_PREFIX}`;
  const chatUrl = `${url}${CHAT_PATH}`;
  const parts = { world, gateway, people, messages, faults, calls };
  return { url, apiUrl, chatUrl, ...parts, close, [Symbol.asyncDispose]: close };
}
