import { LANGUAGES } from '@guild-settings/contract/constants';
import { expect, test } from 'vitest';
import { languageName } from './words.ts';

test.each(LANGUAGES)('%s has a name for every language', (language) => {
  const names = LANGUAGES.map((named) => languageName(named, language));
  expect(new Set(names).size).toBe(LANGUAGES.length);
  expect(names.every((name) => name !== '' && !(LANGUAGES as readonly string[]).includes(name))).toBe(true);
});

test.each([
  ['en-US', 'English'],
  ['es-ES', 'Spanish'],
  ['en-GB', 'British English'],
])('%s is %s for readers', (tag, name) => expect(languageName(tag, 'en-US')).toBe(name));

test('what is not the tag of a language is its own name', () =>
  expect(languageName('klingon!', 'hi')).toBe('klingon!'));
