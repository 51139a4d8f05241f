import { ProblemError, type ProblemOptions, type ProblemSlug } from '@guild-settings/contract';
import { WritePermissionExpiredError } from '../auth/write-permission.ts';
import { GuildChangedError } from './apply-command.ts';

/** A refusal of a command as plain data. */
type EncodedRefusal =
  | { readonly kind: 'problem'; readonly slug: ProblemSlug; readonly options: Omit<ProblemOptions, 'cause'> }
  | { readonly kind: 'permission-expired' }
  | { readonly kind: 'guild-changed' };

/** Conversion of the errors by which `applyCommand` refuses commands, for processes that apply them for others. */
export const REFUSAL_CODEC = {
  /** Returns a refusal as plain data; undefined: the error is none. */
  encode(error: unknown): EncodedRefusal | undefined {
    if (error instanceof ProblemError) {
      const { cause: _, ...options } = error.options;
      return { kind: 'problem', slug: error.slug, options };
    }
    if (error instanceof WritePermissionExpiredError) return { kind: 'permission-expired' };
    if (error instanceof GuildChangedError) return { kind: 'guild-changed' };
    return undefined;
  },

  /** Returns the error that was encoded. */
  decode(refusal: unknown): Error {
    const encoded = refusal as EncodedRefusal;
    switch (encoded.kind) {
      case 'problem':
        return new ProblemError(encoded.slug, encoded.options);
      case 'permission-expired':
        return new WritePermissionExpiredError();
      case 'guild-changed':
        return new GuildChangedError();
    }
  },
};
