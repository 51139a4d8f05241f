import { hash, randomBytes } from 'node:crypto';
import type { Snowflake } from '@guild-settings/contract';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { SessionLimits, SessionRow, SessionStore } from '../store/store.ts';
import type { DiscordOAuth, DiscordUser, TokenPair } from './discord-oauth.ts';
import { SessionStreams } from './session-streams.ts';
import {
  KeyRing,
  type OpenedSession,
  type RenewalOutcome,
  SessionOverError,
  SessionRefresh,
} from './session-tokens.ts';

const DAY_MS = 86_400_000;

/** A session ends this long after its last use. */
const IDLE_MS = DAY_MS;

/** A session ends this long after its start, even if it is in use. */
const ABSOLUTE_MS = 14 * DAY_MS;

/** Precision of the stored last use: limits the number of writes. */
const TOUCH_INTERVAL_MS = 300_000;

/** Remaining lifetime below which an access token is renewed. */
const RENEW_BEFORE_MS = 60_000;

/** Maximum number of sessions per person. Beyond it, the least recently used ones end. */
const MAX_SESSIONS = 30;

const CLEAN_UP_INTERVAL_MS = 3_600_000;

/** Sessions that this process has found: their requests are not subject to the limits for strangers. */
const MAX_KNOWN = 100_000;

const ID = /^[\w-]{43}$/;

/** Returns the hash of a session id, as stored in the database; null if the text is not a session id. */
export function hashOf(id: string): string | null {
  return ID.test(id) ? hash('sha256', id, 'hex') : null;
}

/** Returns when a session ends, in milliseconds since 1970: if it is not used again, and at the latest. */
export function endsOf({ startedAt, lastUsedAt }: SessionRow): { readonly idleUntil: number; readonly until: number } {
  const until = startedAt + ABSOLUTE_MS;
  return { idleUntil: Math.min(lastUsedAt + IDLE_MS, until), until };
}

function limitsAt(now: number): SessionLimits {
  return { usedSince: now - IDLE_MS, startedSince: now - ABSOLUTE_MS };
}

interface SessionsParts {
  readonly store: SessionStore;
  readonly oauth: DiscordOAuth;
  /** Keys of 32 bytes that encrypt the tokens, newest first. */
  readonly keys: readonly Buffer[];
  readonly nowMs: () => number;
  readonly log: FastifyBaseLogger;
  readonly onRenewal: (outcome: RenewalOutcome) => void;
}

interface Login {
  readonly user: DiscordUser;
  readonly tokens: TokenPair;
  readonly device: string;
  /** The id hash of the session that this one replaces. */
  readonly replaces: string | null;
}

/**
 * Starts, finds and ends sessions, and keeps their tokens. The row is read for each request, so that every process
 * refuses a session that any process has ended.
 */
export class Sessions {
  readonly streams: SessionStreams;
  readonly #parts: SessionsParts;
  readonly #keys: KeyRing;
  readonly #refresh: SessionRefresh;
  readonly #known = new LRUCache<string, true>({ maxSize: MAX_KNOWN, sizeCalculation: () => 1 });
  readonly #cleanUp: NodeJS.Timeout;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.#keys = new KeyRing(parts.keys, 'tokens of sessions');
    this.#refresh = new SessionRefresh({
      ...parts,
      open: (row) => this.#opened(row),
      seal: (idHash, pair) => this.#sealed(idHash, pair),
    });
    this.streams = new SessionStreams((idHashes) => parts.store.existingSessions(idHashes, limitsAt(parts.nowMs())));
    this.#cleanUp = setInterval(() => void this.removeExpired(), CLEAN_UP_INTERVAL_MS);
    this.#cleanUp.unref();
  }

  /** Starts a session. @returns the session, and its id, which is sent to the browser and not stored */
  async start({
    user,
    tokens,
    device,
    replaces,
  }: Login): Promise<{ readonly id: string; readonly session: SessionRow }> {
    const { store, nowMs } = this.#parts;
    const id = randomBytes(32).toString('base64url');
    const idHash = hashOf(id) ?? '';
    const now = nowMs();
    const session: SessionRow = {
      idHash,
      publicId: randomBytes(12).toString('base64url'),
      userId: user.id,
      userName: user.name,
      userAvatar: user.avatar,
      locale: user.locale,
      device,
      startedAt: now,
      lastUsedAt: now,
      ...this.#sealed(idHash, tokens),
      tokensVersion: 1,
    };
    await store.insertSession(session);
    if (replaces !== null) await this.end(replaces);
    const surplus = (await store.sessionsOf(user.id)).slice(MAX_SESSIONS);
    for (const { idHash: oldest } of surplus) await this.end(oldest);
    return { id, session };
  }

  /** Returns the session with this id and marks it as used; null: unknown or over. */
  async find(id: string): Promise<OpenedSession | null> {
    const { store, nowMs } = this.#parts;
    const idHash = hashOf(id);
    const row = idHash === null ? undefined : await store.findSession(idHash);
    const opened = row === undefined ? null : this.#opened(row);
    // A row encrypted with an unknown key stays: during a rotation, another process may have the key.
    if (opened === null) {
      if (idHash !== null) this.#known.delete(idHash);
      return null;
    }
    const now = nowMs();
    if (!isWithin(opened, now)) {
      await this.end(opened.idHash);
      return null;
    }
    this.#known.set(opened.idHash, true);
    if (now - opened.lastUsedAt < TOUCH_INTERVAL_MS) return opened;
    // A read-only store still serves reads.
    store.touchSession(opened.idHash, now).catch(() => {});
    return { ...opened, lastUsedAt: now };
  }

  /** Returns whether this process has found the session with this id before. It may have ended since. */
  isKnown(id: string): boolean {
    return this.#known.has(hashOf(id) ?? '');
  }

  /** Returns the sessions of a person that are not over, most recently used first. */
  async list(userId: Snowflake): Promise<SessionRow[]> {
    const { store, nowMs } = this.#parts;
    const now = nowMs();
    return (await store.sessionsOf(userId)).filter((row) => isWithin(row, now));
  }

  async end(idHash: string): Promise<void> {
    await this.#parts.store.endSession(idHash);
    this.ended(idHash);
  }

  /**
   * Ends one session of a person, or all. Discord's tokens are deleted but not revoked: that would revoke those of
   * other sessions, too.
   */
  async endOfUser(userId: Snowflake, publicId?: string): Promise<void> {
    for (const idHash of await this.#parts.store.endSessionsOf(userId, publicId)) this.ended(idHash);
  }

  /** Ends the streams of a session that has ended. */
  ended(idHash: string): void {
    this.#known.delete(idHash);
    this.streams.end(idHash);
  }

  /**
   * Returns an access token of a session.
   * @param rejected a token that Discord has rejected: another one is returned
   * @throws SessionOverError; ProblemError discord-unavailable
   */
  async accessToken(session: OpenedSession, rejected?: string): Promise<string> {
    const { store, nowMs } = this.#parts;
    // After a rejection, the session is read again: another request may have renewed the tokens.
    const row = rejected === undefined ? session : await store.findSession(session.idHash);
    const opened = row === undefined ? null : this.#opened(row);
    if (opened === null) throw new SessionOverError();
    const { idHash, tokensVersion, pair } = opened;
    if (!this.#keys.isCurrent(opened.tokens))
      store.resealTokens({ idHash, tokensVersion, tokens: this.#sealed(idHash, pair).tokens }).catch(() => {});
    const isRejected = pair.accessToken === rejected;
    const remainingMs = pair.expiresAt - nowMs();
    if (!isRejected && remainingMs > RENEW_BEFORE_MS) return pair.accessToken;
    const renewed = this.#refresh.refresh(opened).catch((error: unknown) => {
      if (error instanceof SessionOverError) this.ended(idHash);
      throw error;
    });
    if (isRejected || remainingMs <= 0) return renewed;
    // The token is still valid, so the request does not wait for the renewal.
    renewed.catch(() => {});
    return pair.accessToken;
  }

  async removeExpired(): Promise<void> {
    const { store, nowMs, log } = this.#parts;
    await store
      .removeExpiredSessions(limitsAt(nowMs()))
      .catch((error: unknown) => log.warn({ err: error }, 'expired sessions could not be deleted'));
  }

  /** Resolves when no renewal is running. The store must stay open until then. */
  async close(): Promise<void> {
    clearInterval(this.#cleanUp);
    this.streams.close();
    await this.#refresh.close();
  }

  /** Decrypts the tokens of a session; null: not possible with any of the keys, so the session cannot be used. */
  #opened(row: SessionRow): OpenedSession | null {
    const text = this.#keys.open(row.tokens, row.idHash);
    if (text === null) return null;
    const tokens: Omit<TokenPair, 'expiresAt'> = JSON.parse(text);
    return { ...row, pair: { ...tokens, expiresAt: row.tokensExpireAt } };
  }

  #sealed(idHash: string, { accessToken, refreshToken, expiresAt }: TokenPair) {
    const tokens = this.#keys.seal(JSON.stringify({ accessToken, refreshToken }), idHash);
    return { tokens, tokensExpireAt: expiresAt };
  }
}

function isWithin({ startedAt, lastUsedAt }: SessionRow, now: number): boolean {
  const { usedSince, startedSince } = limitsAt(now);
  return lastUsedAt >= usedSince && startedAt >= startedSince;
}
