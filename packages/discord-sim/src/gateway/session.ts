import { randomBytes } from 'node:crypto';
import { type GatewayDispatchPayload, GatewayOpcodes, type Snowflake } from 'discord-api-types/v10';
import type { Bot } from '../world/entities.ts';
import type { World } from '../world/world.ts';

/** Events kept for a resume. A session that missed more has to identify again. */
const KEPT_EVENTS = 1_000;

export interface Identity {
  readonly bot: Bot;
  readonly intents: number;
  readonly shard: readonly [id: number, count: number];
  readonly isSharded: boolean;
  readonly compress: boolean;
  readonly largeThreshold: number;
}

export interface SessionClient {
  send(frame: string): void;
  terminate(): void;
  /** Sends INVALID_SESSION, and detaches the client from the session. */
  invalidate(resumable: boolean): void;
}

/** The stream of events of a shard. It outlives its connection, so that the client can resume. */
export class Session {
  readonly id = randomBytes(16).toString('hex');
  readonly identity: Identity;
  client: SessionClient | null = null;
  #sequence = 0;
  #kept: { readonly sequence: number; readonly frame: string }[] = [];

  constructor(identity: Identity) {
    this.identity = identity;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** Numbers an event, keeps it for a resume and sends it to a connected client. */
  dispatch(event: Dispatch): void {
    this.#sequence += 1;
    const kept = { sequence: this.#sequence, frame: frame(event, this.#sequence) };
    this.#kept.push(kept);
    if (this.#kept.length > KEPT_EVENTS) this.#kept.shift();
    this.client?.send(kept.frame);
  }

  /** Returns the frames after `sequence`; `null` when some are no longer kept, or it is ahead of the session. */
  missedSince(sequence: number): string[] | null {
    const oldest = this.#kept[0]?.sequence ?? this.#sequence + 1;
    if (sequence > this.#sequence || sequence < oldest - 1) return null;
    return this.#kept.filter((kept) => kept.sequence > sequence).map(({ frame }) => frame);
  }
}

type Unnumbered<Payload> = Payload extends { t: unknown; d: unknown } ? Pick<Payload, 't' | 'd'> : never;

export type Dispatch = Unnumbered<GatewayDispatchPayload>;

/** Returns the frame of an event. The data of RESUMED is an empty object, contrary to its type. */
function frame({ t, d }: Dispatch, s: number): string {
  return JSON.stringify({ op: GatewayOpcodes.Dispatch, t, d: d ?? {}, s });
}

/** @see https://discord.com/developers/docs/events/gateway#sharding */
export function shardOf(guildId: Snowflake, count: number): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(count));
}

const KEPT_SESSIONS = 100;

interface StartLimit {
  /** The number of shards that may identify per interval: those with the same remainder modulo this number. */
  readonly maxConcurrency: number;
  readonly identifyIntervalMs: number;
}

export class Sessions {
  readonly #limit: StartLimit;
  readonly #sessions = new Map<string, Session>();
  /** The time of the last start, by bot and remainder of the shard. */
  readonly #startedAt = new Map<string, number>();

  constructor(limit: StartLimit) {
    this.#limit = limit;
  }

  /**
   * Adds a session; above 100, deletes the oldest one without a client.
   *
   * @returns `null` when the shard has to wait
   * @see https://discord.com/developers/docs/events/gateway#sharding-max-concurrency
   */
  start(identity: Identity, now: number): Session | null {
    const key = `${identity.bot.applicationId} ${identity.shard[0] % this.#limit.maxConcurrency}`;
    const startedAt = this.#startedAt.get(key);
    if (startedAt !== undefined && now - startedAt < this.#limit.identifyIntervalMs) return null;
    this.#startedAt.set(key, now);
    const session = new Session(identity);
    this.#sessions.set(session.id, session);
    if (this.#sessions.size > KEPT_SESSIONS) {
      const detached = this.all().find(({ client }) => client === null);
      if (detached) this.end(detached);
    }
    return session;
  }

  find(id: string, bot: Bot | null): Session | null {
    const session = this.#sessions.get(id);
    return session && session.identity.bot.applicationId === bot?.applicationId ? session : null;
  }

  all(): Session[] {
    return [...this.#sessions.values()];
  }

  end(session: Session): void {
    this.#sessions.delete(session.id);
  }
}

export function guildIdsOf(world: World, { userId }: Bot, [id, count]: Identity['shard']): Snowflake[] {
  return world
    .membershipsOf(userId)
    .map(({ guild }) => guild.id)
    .filter((guildId) => shardOf(guildId, count) === id);
}
