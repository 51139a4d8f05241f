import { setMaxListeners } from 'node:events';
import { AUTHORIZE_PATH, authorize } from './authorize/authorize.ts';
import { CallLog } from './calls/call-log.ts';
import { images } from './cdn/images.ts';
import { CHAT_PATH, chat } from './chat/chat.ts';
import { FaultPlan } from './faults/fault-plan.ts';
import { Gateway, type GatewayOptions } from './gateway/gateway.ts';
import { localHosts } from './local-hosts.ts';
import { MessageReader } from './people/message-reader.ts';
import { People } from './people/people.ts';
import { API_PREFIX } from './rest/path.ts';
import type { RateLimit } from './rest/rate-limit.ts';
import { restServer } from './rest/rest-server.ts';
import type { Clock } from './world/snowflake.ts';
import { World } from './world/world.ts';

export interface DiscordSimOptions {
  /** `127.0.0.1` unless given. */
  readonly host?: string;
  /** 0, any free port, unless given. */
  readonly port?: number;
  /** The clock of tokens, codes and rate limits; the system's unless given. */
  readonly clock?: Clock;
  /** Per token and route; 10,000 calls a second unless given. */
  readonly rateLimit?: RateLimit;
  /** Per bot; 50 calls a second unless given, as at Discord. */
  readonly globalRateLimit?: RateLimit;
  readonly gateway?: GatewayOptions;
}

/** A running simulator. */
export interface DiscordSim extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`. Icons and avatars are below it, as below `https://cdn.discordapp.com`. */
  readonly url: string;
  readonly apiUrl: string;
  readonly chatUrl: string;
  /** The URL of the authorization page, without a query: `http://127.0.0.1:PORT/oauth2/authorize` */
  readonly authorizeUrl: string;
  /** Users, applications, guilds, channels and tokens. */
  readonly world: World;
  readonly gateway: Gateway;
  readonly people: People;
  readonly messages: MessageReader;
  readonly faults: FaultPlan;
  readonly calls: CallLog;
  /** Stops listening and destroys every connection. Idempotent. */
  close(): Promise<void>;
}

const DEFAULT_RATE_LIMIT: RateLimit = { limit: 10_000, windowMs: 1_000 };

/** @see https://docs.discord.com/developers/topics/rate-limits#global-rate-limit */
const DISCORDS_GLOBAL_RATE_LIMIT: RateLimit = { limit: 50, windowMs: 1_000 };

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
  globalRateLimit = DISCORDS_GLOBAL_RATE_LIMIT,
  gateway: gatewayOptions = {},
}: DiscordSimOptions = {}): Promise<DiscordSim> {
  const world = new World(clock);
  const faults = new FaultPlan();
  const calls = new CallLog(clock);
  const closing = new AbortController();
  // Every delayed response adds a listener.
  setMaxListeners(0, closing.signal);
  const messages = new MessageReader(world, closing.signal);
  const people = new People(world, messages);
  const limits = { rateLimit, globalRateLimit };
  const server = restServer({ world, calls, faults, ...limits, clock, gatewayOptions, closing: closing.signal, host });
  chat(server, { world, people, messages, closing: closing.signal });
  authorize(server, world);
  images(server, world);
  const gateway = new Gateway(world, server.server, gatewayOptions, localHosts(host));
  await server.ready();
  const url = await server.listen({ host, port });

  const close = async (): Promise<void> => {
    closing.abort();
    gateway.close();
    await server.close();
  };
  const apiUrl = `${url}${API_PREFIX}`;
  const chatUrl = `${url}${CHAT_PATH}`;
  const authorizeUrl = `${url}${AUTHORIZE_PATH}`;
  const parts = { world, gateway, people, messages, faults, calls };
  return { url, apiUrl, chatUrl, authorizeUrl, ...parts, close, [Symbol.asyncDispose]: close };
}
