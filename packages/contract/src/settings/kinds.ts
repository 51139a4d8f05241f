import type { Flaw } from './flaw.ts';
import type { KindName, SettingDeclaration, SettingValue } from './setting-declaration.ts';
import { CODE_POINT_BYTES, textFlaws, textLimits, textRules, withLineFeeds } from './text-flaws.ts';

/** An item of a list, or the value of a setting with one. */
export type Item = boolean | number | string;

/** Options that only the specified settings have. */
export interface ReservedOptions {
  /** Text of a channel that need not be an id, with a length of its own. */
  readonly anyText?: number;
  readonly noLeadingSpace?: true;
  /** Refuses characters that are not shown. */
  readonly noInvisible?: true;
  /** Names that are no choice are kept, up to this length. */
  readonly open?: number;
  readonly examples?: readonly SettingValue[];
}

/** A declaration of a kind, with the options that are reserved to the specified settings. */
export type Options<Name extends SettingDeclaration['kind']> = Extract<SettingDeclaration, { readonly kind: Name }> &
  ReservedOptions;

/** The words and mentions that a person types for values without characters of their own. */
export interface TypedWords {
  /** Returns which word a text is, in the language of the person or in English; undefined: neither. */
  wordOf(typed: string): 'none' | 'on' | 'off' | undefined;
  /** Returns the id in a mention of a channel or a role, or the text itself if it is an id; undefined: neither. */
  idOf(typed: string, mentioned: 'channel' | 'role'): string | undefined;
  /** Returns what people call a choice. */
  namesOf(choice: string): readonly string[];
}

export type Keywords = Readonly<Record<string, unknown>>;

/** All that is particular to one kind of setting. Lists are in `setting.ts`, for all kinds. */
export interface Kind<KindOptions = never> {
  readonly type: 'string' | 'boolean' | 'integer';
  /** The control by which a person sets the value, on a page and in a modal. */
  readonly control: 'switch' | 'number' | 'choice' | 'duration' | 'text' | 'channel' | 'role';
  /** Returns the value of a setting without a default of its own; undefined: the kind has none. */
  readonly empty: Item | undefined;
  /** Returns all that is not valid in an item, which has the type. */
  flaws(item: Item, options: KindOptions): readonly Flaw[];
  /** Returns a single value as it is stored; absent: as it is. */
  readonly stored?: (item: Item, options: KindOptions) => Item;
  /** Returns what a person typed as an item, which may have flaws; undefined: it is none. */
  parse(typed: string, options: KindOptions, words: TypedWords): Item | undefined;
  /** Returns the limits of an item for a request schema. */
  keywords(options: KindOptions): Keywords;
  /** Returns the bytes of the longest item as JSON. */
  maxBytes(options: KindOptions): number;
}

function kind<Name extends SettingDeclaration['kind']>(declared: Kind<Options<Name>>): Kind<Options<Name>> {
  return declared;
}

/** Normalizes a word for comparison: without regard to case, width, accents and nuktas. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f\u093c]/gu, '')
    .toLowerCase();
}

/** Returns those that a text names: exactly, in any Unicode form, or else in another case or width, or with other accents. */
export function named<T>(typed: string, all: readonly T[], namesOf: (one: T) => readonly string[]): readonly T[] {
  const having = (form: (text: string) => string) => {
    const wanted = form(typed.trim());
    return all.filter((one) => namesOf(one).some((name) => form(name.trim()) === wanted));
  };
  const exact = having((text) => text.normalize());
  return exact.length > 0 ? exact : having(folded);
}

/** Returns what was typed with the digits, letters and signs of ASCII: `－５` of a Japanese keyboard is `-5`, and so is `−5`. */
export function plainDigits(typed: string): string {
  return typed.normalize('NFKC').replaceAll('\u2212', '-').trim();
}

interface Range {
  readonly min: number;
  readonly max: number;
}

function rangeFlaws(item: Item, { min, max }: Range): readonly Flaw[] {
  if (Number(item) < min) return [{ key: 'tooSmall', count: min }];
  return Number(item) > max ? [{ key: 'tooLarge', count: max }] : [];
}

/** Returns the limits of a number for a request schema. */
function rangeLimits({ min, max }: Range): Keywords {
  return { minimum: min, maximum: max };
}

/** Returns the bytes of the longest number of a range. */
function rangeBytes({ min, max }: Range): number {
  return Math.max(String(min).length, String(max).length);
}

const ID_OR_NONE = /^(?:\d{17,20})?$/;

const MAX_DIGITS = 20;

/** Makes the kind of a thing of a guild that Discord knows by an id; `''` is none. */
function snowflakeKind(control: 'channel' | 'role'): Kind<ReservedOptions> {
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

const TYPED: Readonly<Record<string, boolean>> = { on: true, off: false };

const SWITCH = kind<'switch'>({
  type: 'boolean',
  control: 'switch',
  empty: false,
  flaws: () => [],
  parse: (typed, _options, words) => TYPED[words.wordOf(typed) ?? ''],
  keywords: () => ({}),
  maxBytes: () => 'false'.length,
});

const INTEGER = kind<'integer'>({
  type: 'integer',
  control: 'number',
  empty: undefined,
  flaws: rangeFlaws,
  parse(typed, { unit = '' }) {
    const [text, ending] = [plainDigits(typed), plainDigits(unit)];
    const digits = text.endsWith(ending) ? text.slice(0, text.length - ending.length).trim() : text;
    const number = /^[+-]?\d{1,16}$/.test(digits) ? Number(digits) : undefined;
    // A number that is not exact would be another one than what was typed.
    return Number.isSafeInteger(number) ? number : undefined;
  },
  keywords: rangeLimits,
  maxBytes: rangeBytes,
});

const SECONDS: Readonly<Record<string, number>> = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 };

/** Parses `90`, `10m` or `1h 30m` to seconds; undefined: it is no duration. */
export function secondsIn(typed: string): number | undefined {
  const text = plainDigits(typed).toLowerCase();
  if (/^\d{1,15}$/.test(text)) return Number(text);
  if (!/^(?:\d{1,9}\s*[wdhms]\s*)+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+)\s*([wdhms])/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (SECONDS[unit ?? ''] ?? 0), 0);
}

const DURATION = kind<'duration'>({
  type: 'integer',
  control: 'duration',
  empty: undefined,
  flaws: rangeFlaws,
  parse: (typed) => secondsIn(typed),
  keywords: (options) => ({ ...rangeLimits(options), description: 'In seconds.' }),
  maxBytes: rangeBytes,
});

const UTF_8 = new TextEncoder();

const CHOICE = kind<'choice'>({
  type: 'string',
  control: 'choice',
  empty: undefined,
  flaws(item, { choices, open, noInvisible = false }) {
    if (open !== undefined) return textFlaws(String(item), { min: 1, max: open, noInvisible });
    return Object.hasOwn(choices, String(item)) ? [] : [{ key: 'notChoice', count: 0 }];
  },
  parse(typed, { choices, open }, words) {
    // The name of a choice may be what people call another one.
    const name = [typed, typed.trim()].find((text) => Object.hasOwn(choices, text));
    const [found, other] = named(typed, Object.keys(choices), (choice) => [choice, ...words.namesOf(choice)]);
    return name ?? (other === undefined ? found : undefined) ?? (open === undefined ? undefined : typed);
  },
  keywords({ choices, open, noInvisible = false }) {
    if (open === undefined) return { enum: Object.keys(choices) };
    return { ...textLimits({ min: 1, max: open }), description: textRules({ noInvisible }) };
  },
  maxBytes({ choices, open }) {
    if (open !== undefined) return 2 + open * CODE_POINT_BYTES;
    return Math.max(...Object.keys(choices).map((choice) => UTF_8.encode(JSON.stringify(choice)).length));
  },
});

/** A text of one line, or of many. */
const TEXT = kind<'text'>({
  type: 'string',
  control: 'text',
  empty: '',
  flaws: (item, options) => textFlaws(String(item), options),
  stored: (item, { lines }) => (lines === 'many' && typeof item === 'string' ? withLineFeeds(item) : item),
  parse: (typed, _options, words) => (words.wordOf(typed) === 'none' ? '' : typed),
  keywords: (options) => ({ ...textLimits(options), description: textRules(options) }),
  maxBytes: ({ max }) => 2 + max * CODE_POINT_BYTES,
});

const CHANNEL = snowflakeKind('channel');

const ROLE = snowflakeKind('role');

export const KINDS: { readonly [Name in KindName]: Kind<Options<Name>> } = {
  switch: SWITCH,
  integer: INTEGER,
  choice: CHOICE,
  duration: DURATION,
  text: TEXT,
  channel: CHANNEL,
  role: ROLE,
};
