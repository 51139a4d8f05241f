import type { Flaw } from '../flaw.ts';
import { CODE_POINT_BYTES, textFlaws, textLimits, textRules, withLineFeeds } from '../text-flaws.ts';
import { kind, named } from './kind.ts';

const TYPED: Readonly<Record<string, boolean>> = { on: true, off: false };

export const SWITCH = kind<'switch'>({
  type: 'boolean',
  control: 'switch',
  empty: false,
  flaws: () => [],
  fromData: (value) => (value === 1 || value === 0 ? value === 1 : value),
  parse: (typed, _options, words) => TYPED[words.wordOf(typed) ?? ''],
  keywords: () => ({}),
  maxBytes: () => 'false'.length,
});

/** Returns the digits of a number. */
function textOfData(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value;
}

const UTF_8 = new TextEncoder();

export const CHOICE = kind<'choice'>({
  type: 'string',
  control: 'choice',
  empty: undefined,
  initial: ({ choices }) => Object.keys(choices)[0] ?? '',
  flaws(item, { choices, open, noInvisible = false }) {
    if (open !== undefined) return textFlaws(String(item), { min: 1, max: open, noInvisible });
    return Object.hasOwn(choices, String(item)) ? [] : [{ key: 'notChoice', count: 0 }];
  },
  parse(typed, { choices, open }, words) {
    // The name of a choice may be the label of another one.
    const name = [typed, typed.trim()].find((text) => Object.hasOwn(choices, text));
    const [found, other] = named(typed, Object.keys(choices), (choice) => [choice, ...words.namesOf(choice)]);
    return name ?? (other === undefined ? found : undefined) ?? (open === undefined ? undefined : typed);
  },
  fromData: textOfData,
  keywords({ choices, open, noInvisible = false }) {
    if (open === undefined) return { enum: Object.keys(choices) };
    return { ...textLimits({ min: 1, max: open }), description: textRules({ noInvisible }) };
  },
  maxBytes({ choices, open }) {
    if (open !== undefined) return 2 + open * CODE_POINT_BYTES;
    return Math.max(...Object.keys(choices).map((choice) => UTF_8.encode(JSON.stringify(choice)).length));
  },
});

/** A name in braces. Other braces are text. */
const PLACEHOLDER = /\{([\p{L}_][\p{L}\p{N}_.-]{0,63})\}/gu;

/** Returns the names of the placeholders in a text, each once: `['user']` for `Hi {user}`. */
export function placeholdersIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name))];
}

/** A text of one or more lines. */
export const TEXT = kind<'text'>({
  type: 'string',
  control: 'text',
  empty: '',
  flaws(item, options) {
    const { placeholders } = options;
    const limits = textFlaws(String(item), options);
    // A text that is too long may contain very many placeholders.
    if (placeholders === undefined || limits.some(({ key }) => key === 'tooLong')) return limits;
    const unknown = placeholdersIn(String(item)).filter((name) => !Object.hasOwn(placeholders, name));
    const names = Object.keys(placeholders);
    const flaws = unknown.map((name): Flaw => ({ key: 'unknownPlaceholder', count: 0, name, names }));
    return [...limits, ...flaws];
  },
  stored: (item, { lines }) => (lines === 'many' && typeof item === 'string' ? withLineFeeds(item) : item),
  parse: (typed, _options, words) => (words.wordOf(typed) === 'none' ? '' : typed),
  // The text may be the only item of a list.
  fromData: (value) => textOfData(Array.isArray(value) && value.length === 1 ? value[0] : value),
  keywords(options) {
    const names = Object.keys(options.placeholders ?? {});
    const rules = [
      textRules(options),
      ...(names.length > 0 ? [`Placeholders: ${names.map(inBraces).join(', ')}.`] : []),
    ];
    return { ...textLimits(options), description: rules.join(' ') };
  },
  maxBytes: ({ max }) => 2 + max * CODE_POINT_BYTES,
});

function inBraces(name: string): string {
  return `{${name}}`;
}
