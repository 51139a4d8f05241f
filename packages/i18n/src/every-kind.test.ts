import { LANGUAGES } from '@guild-settings/contract/constants';
import {
  Ambiguous,
  DeclaredSettings,
  fits,
  flawsOf,
  parseTyped,
  type SettingValue,
  stored,
} from '@guild-settings/contract/settings';
import { describe, expect, test } from 'vitest';
import { EVERY_KIND, LISTS, SAMPLES } from '../../testing/src/every-kind.ts';
import { differenceOf, sentenceOf } from './changes.ts';
import { flawOf, flawText } from './flaws.ts';
import { wordsIn } from './testing/words.ts';
import { typedWords } from './typed/typed-words.ts';
import { type Part, plainText } from './values.ts';
import type { Words } from './words.ts';

const settings = new DeclaredSettings(EVERY_KIND);
const settingOf = (name: string) => {
  const setting = settings.byField.get(`custom.${name}`);
  if (setting === undefined) throw new Error(`Expected a setting ${name}`);
  return setting;
};

/** Returns how the page and the chat parse a typed text; undefined: not as a valid value. */
function readTyped(name: string, typed: string, language: string): SettingValue | undefined {
  const setting = settingOf(name);
  const value = parseTyped(setting, typed, typedWords(setting, { language }));
  if (value === undefined || value instanceof Ambiguous) return undefined;
  return flawsOf(setting, value).length === 0 ? stored(setting, value) : undefined;
}

test.each(Object.entries(SAMPLES))('what people type for the kind %s is its value, or none', (name, { typed }) => {
  expect(typed.map(([text]) => [text, readTyped(name, text, 'en-US')])).toEqual(typed);
});

const user = { kind: 'user', id: '53908099506183680' } as const;

describe.each(LANGUAGES)('in %s', (language) => {
  const words: Words = { ...wordsIn(language), settings };
  const plain = (parts: readonly Part[]) =>
    plainText(parts, { value: (text) => `‹${text}›`, person: (actor) => `@${actor.id}`, channel: (id) => `#${id}` });
  const say = (changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>) => [
    plain(sentenceOf({ actor: user, origin: 'trpc', changes }, words)),
    ...differenceOf(changes, words).map(({ from, to }) => `  ${plain(from)} → ${plain(to)}`),
  ];

  test('each reason why a value of a kind is refused has a text', () => {
    for (const [name, { refused }] of Object.entries(SAMPLES)) {
      const setting = settingOf(name);
      for (const [value] of refused.filter(([sent]) => fits(setting, sent))) {
        const flaw = flawOf(setting, value as SettingValue);
        const text = flaw && flawText(flaw, words, setting);
        expect(text, `${name} ${JSON.stringify(value)}`).toBeTypeOf('string');
        expect(text).not.toBe(`flaw.${flaw?.key}`);
      }
    }
  });

  test('a change of each kind has the sentence that was recorded', async () => {
    const ones = Object.entries(SAMPLES).flatMap(
      ([
        name,
        {
          values: [one, other],
        },
      ]) =>
        [
          [one, other],
          [other, one],
        ].flatMap(([from, to]) => say({ [`custom.${name}`]: { from, to } })),
    );
    const lists = Object.entries(LISTS).flatMap(([name, value]) => {
      const [first, second] = value as readonly string[];
      return say({ [`custom.${name}`]: { from: [first], to: [first, second] } });
    });
    await expect(`${[...ones, ...lists].join('\n')}\n`).toMatchFileSnapshot(`golden/kinds.${language}.txt`);
  });
});
