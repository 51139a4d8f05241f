import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { TokenPair } from '../discord/discord-oauth.ts';
import { KeyRing } from '../secrets/key-ring.ts';
import type { OpenedSession } from './session.ts';
import type { NewTokens, SessionRow } from './session-store.ts';

const Tokens = z.object({ accessToken: z.string(), refreshToken: z.string().optional() });

type Tokens = z.infer<typeof Tokens>;

const MAX_OPEN = 1_000;

/** Time for which tokens are kept open: a page sends its requests within a moment. */
const OPEN_MS = 60_000;

/** The tokens of sessions as the database keeps them: encrypted, each for its session only. */
export class SealedTokens {
  readonly #keys: KeyRing;
  /** Decrypted tokens by session, with the text that they were in: each request reads that again. */
  readonly #open = new LRUCache<string, { readonly sealed: string; readonly tokens: Tokens }>({
    max: MAX_OPEN,
    ttl: OPEN_MS,
    ttlAutopurge: true,
  });

  constructor(keys: readonly Buffer[]) {
    this.#keys = new KeyRing(keys, 'tokens of sessions');
  }

  seal(idHash: string, { accessToken, refreshToken, expiresAt }: TokenPair): NewTokens {
    return {
      tokens: this.#keys.seal(JSON.stringify({ accessToken, refreshToken }), idHash),
      tokensExpireAt: expiresAt,
    };
  }

  /** Returns the tokens of a session; null: by none of the keys, so that the session cannot be used. */
  open({ idHash, tokens: sealed, tokensExpireAt: expiresAt }: SessionRow): TokenPair | null {
    const known = this.#open.get(idHash);
    if (known?.sealed === sealed) return { expiresAt, ...known.tokens };
    const text = this.#keys.open(sealed, idHash);
    if (text === null) return null;
    const tokens = Tokens.parse(JSON.parse(text));
    this.#open.set(idHash, { sealed, tokens });
    return { expiresAt, ...tokens };
  }

  forget(idHash: string): void {
    this.#open.delete(idHash);
  }

  /** Returns the tokens encrypted by the newest key; null: they are. */
  rotated({ idHash, tokens, pair }: OpenedSession): string | null {
    return this.#keys.isCurrent(tokens) ? null : this.seal(idHash, pair).tokens;
  }
}
