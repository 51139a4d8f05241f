import { GatewayCloseCodes, GatewayDispatchEvents, GatewayOpcodes } from 'discord-api-types/v10';
import type { RawData, WebSocket } from 'ws';
import { record } from '../record.ts';
import type { World } from '../world/world.ts';
import { clientFrame, control } from './client-frame.ts';
import { greet } from './greet.ts';
import { sendGuildMembers } from './guild-members.ts';
import { identityOf } from './identify.ts';
import type { Session, SessionClient } from './session.ts';
import type { Sessions } from './sessions.ts';

/** Dependencies of a connection. */
export interface ConnectionParts {
  readonly world: World;
  readonly sessions: Sessions;
  readonly heartbeatIntervalMs: number;
  /** The URL of the gateway, for READY. */
  readonly resumeUrl: string;
}

/**
 * The WebSocket connection of one client.
 *
 * @see https://discord.com/developers/docs/events/gateway#connection-lifecycle
 */
export class Connection implements SessionClient {
  readonly #socket: WebSocket;
  readonly #parts: ConnectionParts;
  #session: Session | null = null;

  constructor(socket: WebSocket, parts: ConnectionParts) {
    this.#socket = socket;
    this.#parts = parts;
    socket.on('message', (data: RawData) => this.#receive(String(data)));
    socket.on('close', (code) => this.#detach(code));
    // 'close' follows and is handled.
    socket.on('error', () => undefined);
    this.send(control(GatewayOpcodes.Hello, { heartbeat_interval: parts.heartbeatIntervalMs }));
  }

  send(frame: string): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(frame);
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
    const code = this.#handle(text);
    if (code !== null) this.#socket.close(code);
  }

  /** @returns the code to close with, or `null` to continue */
  #handle(text: string): GatewayCloseCodes | null {
    const frame = clientFrame(text);
    if (!frame) return GatewayCloseCodes.DecodeError;
    switch (frame.op) {
      case GatewayOpcodes.Heartbeat:
        this.send(control(GatewayOpcodes.HeartbeatAck));
        return null;
      case GatewayOpcodes.Identify:
        return this.#identify(frame.d);
      case GatewayOpcodes.Resume:
        return this.#resume(frame.d);
      case GatewayOpcodes.RequestGuildMembers:
        if (!this.#session) return GatewayCloseCodes.NotAuthenticated;
        sendGuildMembers(this.#parts.world, this.#session, frame.d);
        return null;
      case GatewayOpcodes.PresenceUpdate:
      case GatewayOpcodes.VoiceStateUpdate:
        return this.#session ? null : GatewayCloseCodes.NotAuthenticated;
      default:
        return GatewayCloseCodes.UnknownOpcode;
    }
  }

  #identify(data: unknown): GatewayCloseCodes | null {
    if (this.#session) return GatewayCloseCodes.AlreadyAuthenticated;
    const { world, sessions, resumeUrl } = this.#parts;
    const identity = identityOf(world, data);
    if (typeof identity === 'number') return identity;
    const session = sessions.start(identity);
    this.#attach(session);
    greet(world, session, resumeUrl);
    return null;
  }

  #resume(data: unknown): GatewayCloseCodes | null {
    if (this.#session) return GatewayCloseCodes.AlreadyAuthenticated;
    const { token, session_id: id, seq } = record(data);
    const session = this.#parts.sessions.find(id, token);
    const missed = typeof seq === 'number' ? session?.missedSince(seq) : null;
    if (!session || !missed) {
      this.send(control(GatewayOpcodes.InvalidSession, false));
      return null;
    }
    session.client?.terminate();
    this.#attach(session);
    for (const frame of missed) this.send(frame);
    session.dispatch({ t: GatewayDispatchEvents.Resumed, d: undefined });
    return null;
  }

  #attach(session: Session): void {
    this.#session = session;
    session.client = this;
  }

  /** Closing with 1000 or 1001 ends the session; after any other code it can be resumed. */
  #detach(code: number): void {
    const session = this.#session;
    if (session?.client !== this) return;
    session.client = null;
    if (code === 1000 || code === 1001) this.#parts.sessions.end(session);
  }
}
