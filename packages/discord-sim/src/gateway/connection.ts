import { GatewayCloseCodes, GatewayDispatchEvents, GatewayOpcodes } from 'discord-api-types/v10';
import type { RawData, WebSocket } from 'ws';
import { z } from 'zod';
import { parseJson, record } from '../json.ts';
import type { World } from '../world/world.ts';
import { type FrameEncoder, payloadEncoder } from './compression.ts';
import { greet } from './events.ts';
import { botOfToken, identityOf, REQUESTS, sequence } from './requests.ts';
import type { Session, SessionClient, Sessions } from './session.ts';

/** @see https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes */
export const CLOSE_REASONS: Readonly<Record<GatewayCloseCodes, string>> = {
  [GatewayCloseCodes.UnknownError]: 'Unknown error.',
  [GatewayCloseCodes.UnknownOpcode]: 'Unknown opcode.',
  [GatewayCloseCodes.DecodeError]: 'Error while decoding payload.',
  [GatewayCloseCodes.NotAuthenticated]: 'Not authenticated.',
  [GatewayCloseCodes.AuthenticationFailed]: 'Authentication failed.',
  [GatewayCloseCodes.AlreadyAuthenticated]: 'Already authenticated.',
  [GatewayCloseCodes.InvalidSeq]: 'Invalid seq.',
  [GatewayCloseCodes.RateLimited]: 'Rate limited.',
  [GatewayCloseCodes.SessionTimedOut]: 'Session timed out.',
  [GatewayCloseCodes.InvalidShard]: 'Invalid shard.',
  [GatewayCloseCodes.ShardingRequired]: 'Sharding required.',
  [GatewayCloseCodes.InvalidAPIVersion]: 'Invalid API version.',
  [GatewayCloseCodes.InvalidIntents]: 'Invalid intent(s).',
  [GatewayCloseCodes.DisallowedIntents]: 'Disallowed intent(s).',
};

/** Discord's HELLO does not arrive together with the response to the upgrade. seyfert would lose it if it did. */
const HELLO_DELAY_MS = 10;
const MAX_BYTES = 4_096;
const MAX_FRAMES = 120;
const WINDOW_MS = 60_000;

const resume = z.object({ token: z.string(), session_id: z.string(), seq: sequence });

interface ConnectionParts {
  readonly world: World;
  readonly sessions: Sessions;
  readonly heartbeatIntervalMs: number;
  readonly heartbeatToleranceMs: number;
  readonly version: number;
  readonly resumeUrl: string;
  readonly compression: FrameEncoder | null;
}

/** @see https://discord.com/developers/docs/events/gateway#connection-lifecycle */
export class Connection implements SessionClient {
  readonly #socket: WebSocket;
  readonly #parts: ConnectionParts;
  #windowEndsAt: number;
  #received = 0;
  readonly #heartbeatDeadline: NodeJS.Timeout;
  #encode: FrameEncoder;
  #session: Session | null = null;

  constructor(socket: WebSocket, parts: ConnectionParts) {
    const { world, heartbeatIntervalMs, heartbeatToleranceMs } = parts;
    this.#socket = socket;
    this.#parts = parts;
    this.#encode = parts.compression ?? ((frame) => frame);
    this.#windowEndsAt = world.clock() + WINDOW_MS;
    const timeOut = (): void => this.#close(GatewayCloseCodes.SessionTimedOut);
    this.#heartbeatDeadline = setTimeout(timeOut, heartbeatIntervalMs + heartbeatToleranceMs).unref();
    socket.on('message', (data: RawData) => this.#receive(String(data)));
    socket.on('close', (code) => this.#detach(code));
    // The 'close' event follows and is handled.
    socket.on('error', () => undefined);
    setTimeout(() => {
      this.send(control(GatewayOpcodes.Hello, { heartbeat_interval: heartbeatIntervalMs }));
    }, HELLO_DELAY_MS);
  }

  send(frame: string): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(this.#encode(frame));
  }

  terminate(): void {
    this.#socket.terminate();
  }

  invalidate(resumable: boolean): void {
    if (this.#session) this.#session.client = null;
    this.#session = null;
    this.send(control(GatewayOpcodes.InvalidSession, resumable));
  }

  #receive(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    const code = this.#isTooFast() ? GatewayCloseCodes.RateLimited : this.#handle(clientFrame(text));
    if (code !== null) this.#close(code);
  }

  /**
   * Counts a frame against the limit of 120 per minute, heartbeats included.
   *
   * @see https://discord.com/developers/docs/events/gateway#rate-limiting
   */
  #isTooFast(): boolean {
    const now = this.#parts.world.clock();
    if (now >= this.#windowEndsAt) [this.#windowEndsAt, this.#received] = [now + WINDOW_MS, 0];
    this.#received += 1;
    return this.#received > MAX_FRAMES;
  }

  /** @returns the code to close with, or `null` to continue */
  #handle(frame: ClientFrame | null): GatewayCloseCodes | null {
    if (!frame) return GatewayCloseCodes.DecodeError;
    switch (frame.op) {
      case GatewayOpcodes.Heartbeat:
        return this.#heartbeat(frame.d);
      case GatewayOpcodes.Identify:
        return this.#identify(frame.d);
      case GatewayOpcodes.Resume:
        return this.#resume(frame.d);
      default:
        return this.#request(frame);
    }
  }

  #heartbeat(last: unknown): GatewayCloseCodes | null {
    if (!sequence.nullish().safeParse(last).success) return GatewayCloseCodes.UnknownOpcode;
    this.#heartbeatDeadline.refresh();
    this.send(control(GatewayOpcodes.HeartbeatAck));
    return null;
  }

  #identify(data: unknown): GatewayCloseCodes | null {
    if (this.#session) return GatewayCloseCodes.AlreadyAuthenticated;
    const { world, sessions, compression } = this.#parts;
    const identity = identityOf(world, data);
    if (typeof identity === 'number') return identity;
    const session = sessions.start(identity, world.clock());
    if (!session) {
      this.send(control(GatewayOpcodes.InvalidSession, false));
      return null;
    }
    // Transport compression takes precedence.
    if (identity.compress && !compression) this.#encode = payloadEncoder();
    this.#attach(session);
    greet(world, session, this.#parts);
    return null;
  }

  #resume(data: unknown): GatewayCloseCodes | null {
    if (this.#session) return GatewayCloseCodes.AlreadyAuthenticated;
    const parsed = resume.safeParse(data);
    if (!parsed.success) return GatewayCloseCodes.DecodeError;
    const { token, session_id: id, seq } = parsed.data;
    const { world, sessions } = this.#parts;
    const session = sessions.find(id, botOfToken(world, token));
    if (!session) {
      this.send(control(GatewayOpcodes.InvalidSession, false));
      return null;
    }
    const missed = session.missedSince(seq);
    if (!missed) {
      sessions.end(session);
      return GatewayCloseCodes.InvalidSeq;
    }
    session.client?.terminate();
    this.#attach(session);
    for (const frame of missed) this.send(frame);
    session.dispatch({ t: GatewayDispatchEvents.Resumed, d: undefined });
    return null;
  }

  #request({ op, d }: ClientFrame): GatewayCloseCodes | null {
    const handle = REQUESTS.get(op);
    if (!handle) return GatewayCloseCodes.UnknownOpcode;
    if (!this.#session) return GatewayCloseCodes.NotAuthenticated;
    return handle(this.#parts.world, this.#session, d) ? null : GatewayCloseCodes.UnknownOpcode;
  }

  #attach(session: Session): void {
    this.#session = session;
    session.client = this;
  }

  #close(code: GatewayCloseCodes): void {
    this.#socket.close(code, CLOSE_REASONS[code]);
  }

  /** Closing with 1000 or 1001 ends the session; after any other code it can be resumed. */
  #detach(code: number): void {
    clearTimeout(this.#heartbeatDeadline);
    const session = this.#session;
    if (session?.client !== this) return;
    session.client = null;
    if (code === 1000 || code === 1001) this.#parts.sessions.end(session);
  }
}

interface ClientFrame {
  readonly op: GatewayOpcodes;
  readonly d: unknown;
}

/**
 * @returns `null` unless it is a JSON object with an opcode, of 4,096 bytes or fewer
 * @see https://discord.com/developers/docs/events/gateway#sending-events
 */
function clientFrame(text: string): ClientFrame | null {
  if (Buffer.byteLength(text) > MAX_BYTES) return null;
  try {
    const { op, d } = record(parseJson(text));
    return Number.isInteger(op) ? { op: Number(op), d } : null;
  } catch {
    return null;
  }
}

export function control(op: GatewayOpcodes, d: unknown = null): string {
  return JSON.stringify({ op, d, s: null, t: null });
}
