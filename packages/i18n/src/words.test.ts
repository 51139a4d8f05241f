import { LANGUAGES } from '@guild-settings/contract/constants';
import { expect, test } from 'vitest';
import { wordsIn } from './testing/words.ts';
import { clauses, fill, languageName, sentences } from './words.ts';

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

test('sentences are joined with a space, which the full stop of Japanese has in itself', () => {
  expect(sentences('Saved.', undefined, false, 'Live.')).toBe('Saved. Live.');
  expect(sentences('保存しました。', '反映されました。')).toBe('保存しました。反映されました。');
  expect(sentences('सेव हो गया।', 'लागू।')).toBe('सेव हो गया। लागू।');
  // A description that a team declares need not end in a full stop.
  expect(sentences('あいさつの間隔', '1から5まで。')).toBe('あいさつの間隔 1から5まで。');
  expect(sentences()).toBe('');
});

test.each([
  ['en-US', 'on: a; off: b'],
  ['ja', 'on: a、off: b'],
] as const)('in %s, clauses are %j', (language, text) => {
  expect(clauses(['on: a', 'off: b'], wordsIn(language))).toBe(text);
});

test('a text is filled in where its language has the placeholder, and a value is not read as a template', () => {
  const fillIn = (text: string) => fill(text, (name) => [`<${name}>{{x}}`], String).join('');
  expect(fillIn('Undone by change {{change}}')).toBe('Undone by change <change>{{x}}');
  expect(fillIn('変更 {{change}} で元に戻し済み')).toBe('変更 <change>{{x}} で元に戻し済み');
});
