/**
 * A reason why a value is not valid. Texts for people are in packages/i18n by the key, those of problems in
 * `flaw-message.ts`.
 */
export interface Flaw {
  readonly key:
    | 'tooShort'
    | 'tooLong'
    | 'leadingSpace'
    | 'lineBreak'
    | 'unprintable'
    | 'invisible'
    | 'tooMany'
    | 'tooSmall'
    | 'tooLarge'
    | 'notChoice'
    | 'notId'
    | 'everyone';
  /** The limit that was exceeded; 0 where there is none. */
  readonly count: number;
  readonly length?: number;
  /** The invisible character, such as `U+200B`. */
  readonly codePoint?: string;
  /** The noun of what exceeds the limit, in the singular. */
  readonly of?: 'name' | 'item';
  /** The position in a list of the item that is not valid. */
  readonly at?: number;
}
