import { z } from 'zod';
import type { TokenPair } from '../discord/discord-oauth.ts';
import { KeyRing } from '../secrets/key-ring.ts';
import type { NewTokens, SessionRow } from './session-store.ts';

const Tokens = z.object({ accessToken: z.string(), refreshToken: z.string().optional() });

/** The tokens of sessions as the database keeps them: encrypted, each for its session only. */
export class SealedTokens {
  readonly #keys: KeyRing;

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
  open({ idHash, tokens, tokensExpireAt }: SessionRow): TokenPair | null {
    const text = this.#keys.open(tokens, idHash);
    return text === null ? null : { ...Tokens.parse(JSON.parse(text)), expiresAt: tokensExpireAt };
  }

  /** Returns the tokens encrypted by the newest key; null: they are. */
  rotated(row: SessionRow): string | null {
    const pair = this.#keys.isCurrent(row.tokens) ? null : this.open(row);
    return pair && this.seal(row.idHash, pair).tokens;
  }
}
