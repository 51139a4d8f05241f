import { randomBytes } from 'node:crypto';
import type { Redactor } from '@guild-settings/runtime/log';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { DiscordOAuth, DiscordUser, TokenPair } from '../discord/discord-oauth.ts';
import { OpenStreams } from './open-streams.ts';
import { SealedTokens } from './sealed-tokens.ts';
import {
  hashOf,
  isOver,
  limitsAt,
  newSessionId,
  type OpenedSession,
  type Session,
  SessionOverError,
} from './session.ts';
import type { SessionStore } from './session-store.ts';
import { TokenRefresh } from './token-refresh.ts';

/** The precision of the time of the last use: fewer writes. */
const TOUCH_INTERVAL_MS = 60_000;

/** Time before its expiry at which an access token is renewed. */
const RENEW_BEFORE_MS = 60_000;

/** The most sessions of a person. Beyond it, those that were not used for the longest time end. */
const MAX_SESSIONS = 30;

const CLEAN_UP_INTERVAL_MS = 3_600_000;

interface SessionsParts {
  readonly store: SessionStore;
  readonly oauth: DiscordOAuth;
  readonly keys: readonly Buffer[];
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  /** Receives the tokens that are used. */
  readonly redactor: Redactor;
  readonly onRenewal: (outcome: 'renewed' | 'refused' | 'unavailable') => void;
}

interface Login {
  readonly user: DiscordUser;
  readonly tokens: TokenPair;
  readonly device: string;
  readonly replaces: string | null;
}

/** Starts, finds and ends sessions, and keeps their tokens. */
export class Sessions {
  readonly streams: OpenStreams;
  readonly #parts: SessionsParts;
  readonly #sealed: SealedTokens;
  readonly #refresh: TokenRefresh;
  readonly #cleanUp: NodeJS.Timeout;

  constructor(parts: SessionsParts) {
    const { store, clock, log } = parts;
    this.#parts = parts;
    this.#sealed = new SealedTokens(parts.keys);
    this.#refresh = new TokenRefresh({ ...parts, sealed: this.#sealed });
    this.streams = new OpenStreams(
      (idHashes) => store.existing(idHashes, limitsAt(clock())),
      (error) => log.warn({ err: error }, 'the sessions of open streams could not be checked'),
    );
    this.#cleanUp = setInterval(() => void this.removeExpired(), CLEAN_UP_INTERVAL_MS);
    this.#cleanUp.unref();
  }

  /**
   * Begins to follow the sessions that other processes end.
   * @throws NotificationsLostError when the database does not notify this process
   */
  async follow(): Promise<void> {
    const { store, log } = this.#parts;
    await store.followEnds({
      onEnded: (idHash) => this.#forget(idHash),
      onMissed: () => void this.streams.check(),
      onState: (state) =>
        state.isLost
          ? log.warn({ err: state.reason }, 'the notifications of ended sessions are lost: streams end up to 1 s late')
          : log.info('the notifications of ended sessions are received again'),
    });
  }

  /** Starts a session. @returns it, and its id, which only the browser keeps */
  async start({ user, tokens, device, replaces }: Login): Promise<{ readonly id: string; readonly session: Session }> {
    const { store, clock } = this.#parts;
    const id = newSessionId();
    const idHash = hashOf(id) ?? '';
    const now = clock();
    const session: Session = {
      idHash,
      publicId: randomBytes(12).toString('base64url'),
      userId: user.id,
      userName: user.name,
      userAvatar: user.avatar,
      locale: user.locale,
      device,
      startedAt: now,
      lastUsedAt: now,
      ...this.#sealed.seal(idHash, tokens),
      tokensVersion: 1,
    };
    await store.insert(session);
    if (replaces !== null) await this.end(replaces);
    const surplus = (await store.list(user.id)).slice(MAX_SESSIONS);
    for (const { idHash: oldest } of surplus) await this.end(oldest);
    return { id, session };
  }

  /** Returns the session with this id, which counts as used now; null: there is none, or it is over. */
  async find(id: string): Promise<OpenedSession | null> {
    const { store, clock } = this.#parts;
    const idHash = hashOf(id);
    const row = idHash === null ? null : await store.find(idHash);
    const pair = row && this.#sealed.open(row);
    // A row of a key that this process does not have stays: another one may have the key, during a rotation.
    if (row === null || pair === null) return null;
    const now = clock();
    if (isOver(row, now)) {
      await this.end(row.idHash);
      return null;
    }
    if (now - row.lastUsedAt < TOUCH_INTERVAL_MS) return { pair, ...row };
    await store.touch(row.idHash, now);
    return { ...row, pair, lastUsedAt: now };
  }

  /** Returns the sessions of a person that are not over, the last used first. */
  async list(userId: string): Promise<Session[]> {
    const { store, clock } = this.#parts;
    const now = clock();
    return (await store.list(userId)).filter((row) => !isOver(row, now));
  }

  async end(idHash: string): Promise<void> {
    await this.#parts.store.remove(idHash);
    this.#forget(idHash);
  }

  /** Ends one session of a person, or all. Discord's tokens are forgotten. Discord would revoke those of other sessions, too. */
  async endOfUser(userId: string, publicId?: string): Promise<void> {
    for (const idHash of await this.#parts.store.removeOfUser(userId, publicId)) this.#forget(idHash);
  }

  /**
   * Returns an access token of a session.
   * @param rejected the token that the service has rejected, instead of which another one is returned
   * @throws SessionOverError; ProblemError when Discord cannot be reached
   */
  async accessToken(session: OpenedSession, rejected?: string): Promise<string> {
    // After a rejection, the session is read again: another request may have renewed the tokens.
    return this.#accessToken(rejected === undefined ? session : await this.#opened(session.idHash), rejected);
  }

  async removeExpired(): Promise<void> {
    const { store, clock, log } = this.#parts;
    await store
      .removeExpired(limitsAt(clock()))
      .catch((error: unknown) => log.warn({ err: error }, 'the sessions that are over could not be deleted'));
  }

  async close(): Promise<void> {
    clearInterval(this.#cleanUp);
    this.streams.close();
    await this.#parts.store.close();
  }

  #forget(idHash: string): void {
    this.#sealed.forget(idHash);
    this.streams.end(idHash);
  }

  async #opened(idHash: string): Promise<OpenedSession> {
    const row = await this.#parts.store.find(idHash);
    const pair = row && this.#sealed.open(row);
    if (!row || !pair) throw new SessionOverError();
    return { ...row, pair };
  }

  async #accessToken(session: OpenedSession, rejected: string | undefined): Promise<string> {
    const { redactor, clock } = this.#parts;
    const { pair: tokens } = session;
    redactor.add(tokens.accessToken);
    await this.#rotateKey(session);
    const isRejected = tokens.accessToken === rejected;
    const remainingMs = tokens.expiresAt - clock();
    if (!isRejected && remainingMs > RENEW_BEFORE_MS) return tokens.accessToken;
    try {
      const renewed = await this.#refresh.refresh(session);
      redactor.add(renewed);
      return renewed;
    } catch (error) {
      if (error instanceof SessionOverError) {
        this.#forget(session.idHash);
        throw error;
      }
      if (!isRejected && remainingMs > 0) return tokens.accessToken;
      throw error;
    }
  }

  async #rotateKey(session: OpenedSession): Promise<void> {
    const tokens = this.#sealed.rotated(session);
    if (tokens !== null) await this.#parts.store.reseal(session.idHash, session.tokensVersion, tokens);
  }
}
