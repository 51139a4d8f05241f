import { kind } from './kind.ts';
import { CODE_POINT_BYTES, textFlaws, textLimits, textRules, withLineFeeds } from './text-flaws.ts';

/** A text of one line, or of many. */
export const TEXT = kind<'text'>({
  type: 'string',
  control: 'text',
  empty: '',
  flaws: (item, options) => textFlaws(String(item), options),
  stored: (item, { lines }) => (lines === 'many' && typeof item === 'string' ? withLineFeeds(item) : item),
  parse: (typed, _options, words) => (words.wordOf(typed) === 'none' ? '' : typed),
  keywords: (options) => ({ ...textLimits(options), description: textRules(options) }),
  maxBytes: ({ max }) => 2 + max * CODE_POINT_BYTES,
});
