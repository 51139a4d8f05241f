import type { Flaw } from '../flaw.ts';
import { CODE_POINT_BYTES, textFlaws, textLimits, textRules } from '../text-flaws.ts';
import { type Kind, kind, type ReservedOptions } from './kind.ts';

const ID_OR_NONE = /^(?:\d{17,20})?$/;

const MAX_DIGITS = 20;

/** Makes the kind of a guild's thing that has a Discord id; `''` stands for none. */
function snowflakeKind(control: 'channel' | 'role' | 'user'): Kind<ReservedOptions> {
  return {
    type: 'string',
    control,
    empty: '',
    flaws(item, { anyText: max }) {
      if (max !== undefined) return textFlaws(String(item), { max });
      return ID_OR_NONE.test(String(item)) ? [] : [{ key: 'notId', count: 0 }];
    },
    isOfGuild: (item) => item !== '',
    parse: (typed, _options, words) => (words.wordOf(typed) === 'none' ? '' : words.idOf(typed, control)),
    keywords({ anyText: max }) {
      if (max !== undefined) return { ...textLimits({ max }), description: textRules({}) };
      return { maxLength: MAX_DIGITS, pattern: '^([0-9]{17,20})?$', description: 'A Discord id, or empty for none.' };
    },
    maxBytes: ({ anyText: max }) => 2 + (max === undefined ? MAX_DIGITS : max * CODE_POINT_BYTES),
  };
}

export const CHANNEL = snowflakeKind('channel');

export const ROLE = snowflakeKind('role');

export const USER = snowflakeKind('user');

/** A custom emoji in the syntax of Discord's messages. */
const CUSTOM_EMOJI = /^<(a?):([A-Za-z0-9_]{1,32}):(\d{17,20})>$/;

/** Returns the id of a custom emoji; undefined: another text. */
export function emojiId(emoji: string): string | undefined {
  return CUSTOM_EMOJI.exec(emoji)?.[3];
}

/** Maximum code points of an emoji: enough for families and flags with tags. */
const EMOJI_CODE_POINTS = 16;

/** An emoji as people see it: one character, possibly of several code points. */
const UNICODE_EMOJI = /^\p{RGI_Emoji}$/v;

/** A character that is only an emoji with a following variation selector or skin tone. */
const NEEDS_SELECTOR = /(?=\p{Emoji})(?!\p{Emoji_Presentation}|\p{Emoji_Component}(?!\u20e3)).(?!\p{Emoji_Modifier})/gu;

/** Returns a Unicode emoji with all of its variation selectors; undefined: not a Unicode emoji. */
function unicodeEmoji(text: string): string | undefined {
  const length = [...text].length;
  if (length === 0 || length > EMOJI_CODE_POINTS) return undefined;
  const bare = text.replaceAll('\uFE0F', '');
  return [text, bare.replaceAll(NEEDS_SELECTOR, '$&\uFE0F'), bare].find((one) => UNICODE_EMOJI.test(one));
}

/** Returns true if a text is a single Unicode emoji, even without its variation selectors: `❤`. */
export function isUnicodeEmoji(text: string): boolean {
  return unicodeEmoji(text) !== undefined;
}

/**
 * Returns the emoji in a text: a custom emoji as it is, and a Unicode emoji with the variation selectors that keyboards
 * may omit: `❤️` for `❤`. Undefined: not an emoji.
 */
export function emojiOf(text: string): string | undefined {
  return emojiId(text) === undefined ? unicodeEmoji(text) : text;
}

const NOT_EMOJI: Flaw = {
  key: 'notEmoji',
  count: 0,
  expected: 'a Unicode emoji, a custom emoji as <:name:id>, or an empty string for none',
};

/** A Unicode emoji, or a custom emoji; `''` stands for none. Custom emojis are equal if their ids are. */
export const EMOJI = kind<'emoji'>({
  type: 'string',
  control: 'emoji',
  empty: '',
  flaws(item) {
    const text = String(item);
    return text === '' || emojiId(text) !== undefined || isUnicodeEmoji(text) ? [] : [NOT_EMOJI];
  },
  identity: (item) => emojiId(String(item)) ?? String(item).replaceAll('\uFE0F', ''),
  isOfGuild: (item) => emojiId(String(item)) !== undefined,
  parse: (typed, _options, words) => (words.wordOf(typed) === 'none' ? '' : words.idOf(typed, 'emoji')),
  fromData: emojiOfData,
  keywords: () => ({
    maxLength: MAX_EMOJI,
    description: 'A Unicode emoji, or a custom emoji of the guild as `<:name:id>` or `<a:name:id>`; empty for none.',
  }),
  maxBytes: () => 2 + Math.max(MAX_EMOJI, EMOJI_CODE_POINTS * CODE_POINT_BYTES),
});

/** Returns an emoji in the syntax of Discord's messages, from `name:id` or an object of discord.js. */
function emojiOfData(value: unknown): unknown {
  if (typeof value === 'string') return value.trim().replace(/^(?:(a):)?(\w{1,32}):(\d{17,20})$/, '<$1:$2:$3>');
  const { id = null, name, animated } = Object(value) as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string') return value;
  if (id === null) return name;
  return typeof id === 'string' ? `<${animated === true ? 'a' : ''}:${name}:${id}>` : value;
}

/** The length of the longest `<a:name:id>`. */
const MAX_EMOJI = '<a::>'.length + 32 + MAX_DIGITS;
