import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ProblemError } from '@guild-settings/contract';
import type { FastifyBaseLogger } from 'fastify';
import { type RefreshLease, type SessionRow, type SessionStore, StoreUnavailableError } from '../store/store.ts';
import { type DiscordOAuth, OAuthError, type TokenPair } from './discord-oauth.ts';

/** Time for one attempt: longer than Discord may take, so that no second attempt uses the same refresh token. */
const LEASE_MS = 20_000;

const MAX_WAIT_MS = 10_000;

const FIRST_POLL_MS = 25;
const LONGEST_POLL_MS = 400;

export interface OpenedSession extends SessionRow {
  readonly pair: TokenPair;
}

export class SessionOverError extends ProblemError {
  constructor() {
    super('not-authenticated', { detail: 'You are not logged in, or your session has ended. Log in again.' });
  }
}

export type RenewalOutcome = 'renewed' | 'refused' | 'unavailable';

interface SessionRefreshParts {
  readonly store: SessionStore;
  readonly oauth: DiscordOAuth;
  readonly log: FastifyBaseLogger;
  /** Decrypts the tokens of a session; null: it cannot be used. */
  readonly open: (row: SessionRow) => OpenedSession | null;
  readonly seal: (idHash: string, pair: TokenPair) => Pick<SessionRow, 'tokens' | 'tokensExpireAt'>;
  readonly onRenewal: (outcome: RenewalOutcome) => void;
}

/**
 * Renews the tokens of sessions. Discord accepts a refresh token once, so one request among all processes uses it, and
 * the others wait for the new pair. The pair is stored before it is used, even if the database is unavailable for a
 * while. If a process ends between Discord's response and the commit, the pair is lost: Discord refuses the next
 * attempt, and the session ends.
 */
export class SessionRefresh {
  readonly #parts: SessionRefreshParts;
  readonly #running = new Map<string, Promise<string>>();
  #isClosing = false;

  constructor(parts: SessionRefreshParts) {
    this.#parts = parts;
  }

  /**
   * Renews the tokens of a session, unless that has happened since the row was read. @returns the new access token
   * @throws SessionOverError when Discord refuses the refresh token; ProblemError when Discord cannot be reached
   */
  async refresh({ idHash, tokensVersion }: SessionRow): Promise<string> {
    const key = `${idHash} ${tokensVersion}`;
    const attempt =
      this.#running.get(key) ??
      this.#attempt({ idHash, tokensVersion, holder: randomUUID() }).finally(() => this.#running.delete(key));
    this.#running.set(key, attempt);
    return Promise.race([attempt, tooLate()]);
  }

  /**
   * Resolves when no attempt is running. Tokens that Discord has sent are stored first, if the store can be written.
   */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.allSettled(this.#running.values());
  }

  async #attempt(lease: RefreshLease): Promise<string> {
    const { store, open } = this.#parts;
    const giveUpAt = performance.now() + MAX_WAIT_MS;
    const isInTime = () => performance.now() < giveUpAt && !this.#isClosing;
    for (let pollMs = FIRST_POLL_MS; isInTime(); pollMs = Math.min(pollMs * 2, LONGEST_POLL_MS)) {
      const isMine = await store.takeLease(lease, LEASE_MS);
      const row = await store.findSession(lease.idHash);
      const opened = row && open(row);
      if (!opened) throw new SessionOverError();
      if (opened.tokensVersion !== lease.tokensVersion) return opened.pair.accessToken;
      if (isMine) {
        const pair = await this.#newPair(lease, opened.pair);
        // The lease expired before Discord responded: another attempt has replaced the tokens, or the session is over.
        if (pair !== null && (await this.#keep(lease, pair))) return pair.accessToken;
      }
      await delay(pollMs);
    }
    throw timedOut();
  }

  /**
   * Stores a pair, which Discord sends once: retries while the store is unavailable. @returns the result of
   * `replaceTokens`
   */
  async #keep(lease: RefreshLease, pair: TokenPair): Promise<boolean> {
    const { store, seal } = this.#parts;
    for (;;) {
      try {
        return await store.replaceTokens(lease, seal(lease.idHash, pair));
      } catch (error) {
        if (!(error instanceof StoreUnavailableError) || this.#isClosing) throw error;
      }
      await delay(LONGEST_POLL_MS);
    }
  }

  /** Requests a new pair; null: Discord refuses tokens that another attempt has replaced. */
  async #newPair(lease: RefreshLease, { refreshToken }: TokenPair): Promise<TokenPair | null> {
    const { store, oauth, log, onRenewal } = this.#parts;
    try {
      if (refreshToken === undefined) throw new OAuthError('expired', 'there is no refresh token');
      const pair = await oauth.refresh(refreshToken);
      onRenewal('renewed');
      return pair;
    } catch (error) {
      const isRefused = error instanceof OAuthError && error.fault === 'expired';
      onRenewal(isRefused ? 'refused' : 'unavailable');
      if (isRefused) {
        const ended = await store.endSession(lease.idHash, lease.tokensVersion);
        if (ended.length > 0) throw new SessionOverError();
        return null;
      }
      // Discord may have accepted the refresh token without a response: the next attempt shows it.
      await store.releaseLease(lease).catch(() => {});
      log.warn({ err: error }, 'the tokens of a session could not be renewed');
      throw new ProblemError('discord-unavailable', { cause: error });
    }
  }
}

function timedOut(): ProblemError {
  return new ProblemError('discord-unavailable', { detail: 'The session could not be renewed in time. Try again.' });
}

async function tooLate(): Promise<never> {
  await delay(MAX_WAIT_MS, undefined, { ref: false });
  throw timedOut();
}

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts texts with the first key, and decrypts with any of the keys. To rotate, put a new key before the old one,
 * and remove the old one when no text is encrypted with it.
 * @see https://csrc.nist.gov/pubs/sp/800/38/d/final
 */
export class KeyRing {
  /** By the ids that prefix encrypted texts. */
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #newest: string;

  /**
   * @param secrets keys of 32 bytes, newest first
   * @param purpose separates texts that are encrypted for different purposes
   */
  constructor(secrets: readonly Buffer[], purpose: string) {
    const derive = (secret: Buffer, info: string, bytes: number) =>
      Buffer.from(hkdfSync('sha256', secret, '', `guild-settings page ${info}`, bytes));
    const idOf = (secret: Buffer) => derive(secret, 'key id', 4).toString('hex');
    this.#keys = new Map(secrets.map((secret) => [idOf(secret), derive(secret, purpose, KEY_BYTES)]));
    [this.#newest = ''] = this.#keys.keys();
  }

  /** Encrypts a text. @param context the owner of the text: decryption requires the same context */
  seal(text: string, context: string): string {
    const id = this.#newest;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#keys.get(id) ?? '', nonce).setAAD(Buffer.from(`${id} ${context}`));
    const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${id}.${bytes.toString('base64url')}`;
  }

  /** Decrypts a text; null: encrypted with an unknown key, for another context, or altered. */
  open(sealed: string, context: string): string | null {
    const [id = '', encoded = ''] = sealed.split('.', 2);
    const key = this.#keys.get(id);
    const bytes = Buffer.from(encoded, 'base64url');
    if (key === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(`${id} ${context}`))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }

  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${this.#newest}.`);
  }
}
