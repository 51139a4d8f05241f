import type { Kind, ReservedOptions } from './kind.ts';
import { CODE_POINT_BYTES, textFlaws, textLimits, textRules } from './text-flaws.ts';

const ID_OR_NONE = /^(?:\d{17,20})?$/;

const MAX_DIGITS = 20;

/** Makes the kind of a thing of a guild that Discord knows by an id; `''` is none. */
export function snowflakeKind(control: 'channel' | 'role'): Kind<ReservedOptions> {
  return {
    type: 'string',
    control,
    empty: '',
    flaws(item, { anyText: max }) {
      if (max !== undefined) return textFlaws(String(item), { max });
      return ID_OR_NONE.test(String(item)) ? [] : [{ key: 'notId', count: 0 }];
    },
    parse: (typed, _options, words) => (words.wordOf(typed) === 'none' ? '' : words.idOf(typed, control)),
    keywords({ anyText: max }) {
      if (max !== undefined) return { ...textLimits({ max }), description: textRules({}) };
      return { maxLength: MAX_DIGITS, pattern: '^([0-9]{17,20})?$', description: 'A Discord id, or empty for none.' };
    },
    maxBytes: ({ anyText: max }) => 2 + (max === undefined ? MAX_DIGITS : max * CODE_POINT_BYTES),
  };
}
