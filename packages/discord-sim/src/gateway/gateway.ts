import type { IncomingMessage, Server } from 'node:http';
import { GatewayCloseCodes, GatewayOpcodes, type Snowflake } from 'discord-api-types/v10';
import { type WebSocket, WebSocketServer } from 'ws';
import { refuseUpgrade } from '../local-access.ts';
import type { World } from '../world/world.ts';
import { type FrameEncoder, zlibStreamEncoder, zstdStreamEncoder } from './compression.ts';
import { CLOSE_REASONS, Connection, control } from './connection.ts';
import { dispatchOf } from './events.ts';
import { Sessions } from './session.ts';

/** Longer messages are not read. Shorter ones may still be too long: see `clientFrame`. */
const MAX_MESSAGE_BYTES = 64 * 1024;
/** The gateway versions that Discord has neither deprecated nor removed. They send the same events. */
const VERSIONS: ReadonlySet<string> = new Set(['9', '10']);
const DEFAULT_VERSION = '10';
const COMPRESSIONS: ReadonlyMap<string, () => FrameEncoder> = new Map([
  ['zlib-stream', zlibStreamEncoder],
  ['zstd-stream', zstdStreamEncoder],
]);
const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

export interface GatewayOptions {
  /** 41,250 unless given, as in Discord. */
  readonly heartbeatIntervalMs?: number;
  /** The delay of a heartbeat after which the connection is closed; 20 s unless given. */
  readonly heartbeatToleranceMs?: number;
  /** The number of shards recommended to bots; 1 unless given. */
  readonly shards?: number;
  /** The number of shards that may identify concurrently; 16 unless given. */
  readonly maxConcurrency?: number;
  /** The minimum time between two identifications; 0 unless given, so that tests need not wait. Discord's is 5,000. */
  readonly identifyIntervalMs?: number;
}

export interface GatewaySession {
  readonly id: string;
  readonly applicationId: Snowflake;
  readonly shard: readonly [id: number, count: number];
  readonly intents: number;
  readonly connected: boolean;
  readonly sequence: number;
}

/**
 * Discord's gateway: sends changes of the world to connected bots.
 *
 * @see https://discord.com/developers/docs/events/gateway
 */
export class Gateway {
  readonly #sessions: Sessions;
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  readonly #stop: () => void;

  /** @internal */
  constructor(
    world: World,
    http: Server,
    {
      heartbeatIntervalMs = 41_250,
      heartbeatToleranceMs = 20_000,
      maxConcurrency = 16,
      identifyIntervalMs = 0,
    }: GatewayOptions,
    isLocal: (request: IncomingMessage) => boolean,
  ) {
    const sessions = new Sessions({ maxConcurrency, identifyIntervalMs });
    this.#sessions = sessions;
    this.#stop = world.changes.subscribe((change) => {
      for (const session of this.#sessions.all()) {
        const dispatch = dispatchOf(world, session, change);
        if (dispatch) session.dispatch(dispatch);
      }
    });
    http.on('upgrade', (request, socket, head) => {
      if (!isLocal(request)) return refuseUpgrade(socket);
      const [path = '/', query] = request.url?.split('?', 2) ?? [];
      if (!PATHS.has(path)) return void socket.on('error', () => socket.destroy()).end(NOT_FOUND);
      const asked = new URLSearchParams(query);
      const [v, encoding] = [asked.get('v') ?? DEFAULT_VERSION, asked.get('encoding') ?? 'json'];
      this.#server.handleUpgrade(request, socket, head, (client) => {
        if (!VERSIONS.has(v)) return refuse(client);
        if (encoding !== 'json') return refuse(client, `Expected encoding=json, received ${encoding.slice(0, 20)}.`);
        const compression = COMPRESSIONS.get(asked.get('compress') ?? '')?.() ?? null;
        const parts = { world, sessions, version: Number(v), resumeUrl: gatewayUrl(request), compression };
        return void new Connection(client, { ...parts, heartbeatIntervalMs, heartbeatToleranceMs });
      });
    });
  }

  /** Returns the sessions, connected or not, oldest first. */
  sessions(): GatewaySession[] {
    return this.#sessions.all().map(({ id, identity: { bot, shard, intents }, client, sequence }) => {
      return { id, applicationId: bot.applicationId, shard, intents, connected: client !== null, sequence };
    });
  }

  /** Sends HEARTBEAT to every client, which has to send one at once. */
  requestHeartbeats(): void {
    for (const { client } of this.#sessions.all()) client?.send(control(GatewayOpcodes.Heartbeat));
  }

  /** Sends RECONNECT to every client, which has to resume. */
  reconnectAll(): void {
    for (const { client } of this.#sessions.all()) client?.send(control(GatewayOpcodes.Reconnect));
  }

  /** Sends INVALID_SESSION to every client. Unless resumable, deletes the sessions. */
  invalidateAll(resumable: boolean): void {
    for (const session of this.#sessions.all()) {
      session.client?.invalidate(resumable);
      if (!resumable) this.#sessions.end(session);
    }
  }

  /** Destroys every connection without a close frame. Clients can resume their sessions. */
  dropAll(): void {
    for (const client of this.#server.clients) client.terminate();
  }

  /** @internal */
  close(): void {
    this.#stop();
    this.dropAll();
    this.#server.close();
  }
}

function refuse(client: WebSocket, reason = CLOSE_REASONS[GatewayCloseCodes.InvalidAPIVersion]): void {
  // Without a listener, the error of a client that keeps sending would end the process.
  client.on('error', () => client.terminate());
  client.close(GatewayCloseCodes.InvalidAPIVersion, reason);
}

const GATEWAY_PATH = '/gateway';

/** Discord's gateway is at the root of its host, and libraries append a slash to any given URL. */
const PATHS: ReadonlySet<string> = new Set([GATEWAY_PATH, `${GATEWAY_PATH}/`, '/']);

/** Returns the URL of the gateway for the client of a request, with the host name used by the client. */
export function gatewayUrl({ headers: { host = '' }, socket: { localPort } }: IncomingMessage): string {
  const hasPort = /:\d+$/.test(host);
  return `ws://${host}${hasPort ? '' : `:${localPort}`}${GATEWAY_PATH}`;
}
