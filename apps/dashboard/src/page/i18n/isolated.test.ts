import { createInstance } from 'i18next';
import { expect, test } from 'vitest';
import { INTERPOLATION } from './i18n.ts';
import { isolated } from './isolated.ts';

test.each(['', 'Melody', 'Ольга', '日本', '**b** <i> &amp; {{x}}', 'नमस्ते', '👋🏽'])(
  '%s is written as it is',
  (text) => {
    expect(isolated(text)).toBe(text);
  },
);

test.each([
  ['Hebrew', 'שלום'],
  ['Arabic in a Latin text', 'to العربية!'],
  ['Adlam, beyond the basic plane', '\u{1e900}'],
  ['an override without an end', 'a\u202eb'],
])('%s does not change the direction of the sentence around it', (_, text) => {
  expect(isolated(text)).toBe(`\u2068${text}\u2069`);
});

test('a text isolates what is filled in, and changes nothing else of it', async () => {
  const texts = { changed: '{{field}}: {{from}} → {{to}} ({{count}})' };
  const i18n = createInstance({ lng: 'en', resources: { en: { a: texts } }, interpolation: INTERPOLATION });
  await i18n.init();
  const t = i18n.getFixedT('en', 'a' as never) as unknown as (key: string, values: object) => string;
  expect(t('changed', { field: 'A & <b>', from: 'שלום', to: 'x', count: 2 })).toBe('A & <b>: \u2068שלום\u2069 → x (2)');
});
