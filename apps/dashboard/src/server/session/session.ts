import { createHash, randomBytes } from 'node:crypto';
import type { TokenPair } from '../discord/discord-oauth.ts';
import type { SessionLimits, SessionRow } from './session-store.ts';

const DAY_MS = 86_400_000;

/** Time after its last use at which a session is over. */
const IDLE_MS = DAY_MS;

/** Time after its start at which a session is over, however it is used. */
const ABSOLUTE_MS = 14 * DAY_MS;

const ID_BYTES = 32;

const ID = /^[\w-]{43}$/;

export type Session = SessionRow;

export interface OpenedSession extends Session {
  readonly pair: TokenPair;
}

/** Thrown when a session has ended, or cannot be used any more. */
export class SessionOverError extends Error {
  override readonly name = 'SessionOverError';

  constructor() {
    super('The session is over');
  }
}

export function newSessionId(): string {
  return randomBytes(ID_BYTES).toString('base64url');
}

/** Returns what the database keeps of an id; null for a text that is none. */
export function hashOf(id: string): string | null {
  return ID.test(id) ? createHash('sha256').update(id).digest('hex') : null;
}

export function limitsAt(now: number): SessionLimits {
  return { usedSince: now - IDLE_MS, startedSince: now - ABSOLUTE_MS };
}

export function isOver({ startedAt, lastUsedAt }: Session, now: number): boolean {
  const { usedSince, startedSince } = limitsAt(now);
  return lastUsedAt < usedSince || startedAt < startedSince;
}

/** Returns when a session ends, in milliseconds since 1970: unless it is used, and in any case. */
export function endsOf({ startedAt, lastUsedAt }: Session): { readonly idleUntil: number; readonly until: number } {
  const until = startedAt + ABSOLUTE_MS;
  return { idleUntil: Math.min(lastUsedAt + IDLE_MS, until), until };
}
