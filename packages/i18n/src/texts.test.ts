import { LANGUAGES } from '@guild-settings/contract/constants';
import { expect, test } from 'vitest';
import { textFlaws } from './compare-texts.ts';
import { SHARED_TEXTS } from './texts.ts';

test.each(LANGUAGES)('the shared texts in %s are those of English', (language) => {
  expect(textFlaws(language, SHARED_TEXTS[language], SHARED_TEXTS['en-US'])).toStrictEqual([]);
});

test.each([
  ['a text that is missing', {}, ['hello is missing']],
  ['a text that English does not have', { hello: 'a {{name}}', bye: 'b' }, ['bye is not a text']],
  ['another placeholder', { hello: 'a {{nom}}' }, ['hello has the placeholders {{nom}} instead of {{name}}']],
  ['a space at the end', { hello: 'a {{name}} ' }, ['hello is empty or padded']],
])('%s is a flaw', (_, texts, flaws) => {
  expect(textFlaws('ru', texts, { hello: 'Hello {{name}}' })).toStrictEqual(flaws);
});

test('a comment for translators is not a text', () => {
  const english = { _comment: 'Greetings.', formal: { _comment: 'For strangers: {{name}}.', hello: 'Hello' } };
  expect(textFlaws('ru', { formal: { _comment: '', hello: 'Hello' } }, english)).toStrictEqual([]);
});

test('the plural forms of another language are a flaw', () => {
  const english = { more_one: '{{count}}', more_other: '{{count}}' };
  expect(textFlaws('ru', english, english)).toStrictEqual(['more_few is missing', 'more_many is missing']);
  expect(textFlaws('ja', english, english)).toStrictEqual(['more_one is not a text of ja']);
});
