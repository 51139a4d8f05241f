import type { Server } from 'node:http';
import { GatewayCloseCodes, GatewayOpcodes, GatewayVersion, type Snowflake } from 'discord-api-types/v10';
import { WebSocketServer } from 'ws';
import type { World } from '../world/world.ts';
import { control } from './client-frame.ts';
import { Connection } from './connection.ts';
import { dispatchOf } from './dispatches.ts';
import { Sessions } from './sessions.ts';

/** The path of the gateway. */
export const GATEWAY_PATH = '/gateway';

const MAX_FRAME_BYTES = 64 * 1024;

/** Options of the gateway. */
export interface GatewayOptions {
  /** 41,250 unless given, as in Discord. */
  readonly heartbeatIntervalMs?: number;
  /** The number of shards recommended to bots; 1 unless given. */
  readonly shards?: number;
  /** The number of shards that may identify concurrently, each every five seconds; 16 unless given. */
  readonly maxConcurrency?: number;
}

/** The state of a session, for tests. */
export interface GatewaySession {
  readonly id: string;
  readonly applicationId: Snowflake;
  readonly shard: readonly [id: number, count: number];
  readonly intents: number;
  readonly connected: boolean;
  /** The sequence number of the last event. */
  readonly sequence: number;
}

/**
 * Discord's gateway: sends changes of the world to connected bots.
 *
 * @see https://discord.com/developers/docs/events/gateway
 */
export class Gateway {
  readonly #sessions = new Sessions();
  readonly #server = new WebSocketServer({ noServer: true, path: GATEWAY_PATH, maxPayload: MAX_FRAME_BYTES });
  readonly #stop: () => void;

  /** @internal */
  constructor(world: World, http: Server, { heartbeatIntervalMs = 41_250 }: GatewayOptions) {
    this.#stop = world.changes.subscribe((change) => {
      for (const session of this.#sessions.all()) {
        const dispatch = dispatchOf(world, session, change);
        if (dispatch) session.dispatch(dispatch);
      }
    });
    http.on('upgrade', (request, socket, head) => {
      this.#server.handleUpgrade(request, socket, head, (client) => {
        const url = new URL(request.url ?? '/', `ws://${request.headers.host}`);
        if (!supportsVersion(url)) return client.close(GatewayCloseCodes.InvalidAPIVersion);
        const resumeUrl = `${url.origin}${GATEWAY_PATH}`;
        return void new Connection(client, { world, sessions: this.#sessions, heartbeatIntervalMs, resumeUrl });
      });
    });
  }

  /** Returns the sessions, connected or not, oldest first. */
  sessions(): GatewaySession[] {
    return this.#sessions.all().map(({ id, bot, shard, intents, client, sequence }) => {
      return { id, applicationId: bot.applicationId, shard, intents, connected: client !== null, sequence };
    });
  }

  /** Sends RECONNECT to every client, which makes it resume. */
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

function supportsVersion(url: URL): boolean {
  const { v = GatewayVersion, encoding = 'json' } = Object.fromEntries(url.searchParams);
  return v === GatewayVersion && encoding === 'json';
}
