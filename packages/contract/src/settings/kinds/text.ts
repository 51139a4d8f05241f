import { kind } from './kind.ts';
import { CODE_POINT_BYTES, textFlaws, textLimits, textRules } from './text-flaws.ts';

/** A text of one line, or of many. */
export const TEXT = kind<'text'>({
  type: 'string',
  control: 'text',
  empty: '',
  flaws: (item, options) => textFlaws(String(item), options),
  parse: (typed, _options, words) => (words.wordOf(typed) === 'none' ? '' : typed),
  keywords: (options) => ({ ...textLimits(options), description: textRules(options) }),
  maxBytes: ({ max }) => 2 + max * CODE_POINT_BYTES,
});
