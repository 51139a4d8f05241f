import { expect, test } from 'vitest';
import { initials } from './picture.tsx';

test.each([
  ['Discord Testers', 'DT'],
  ['guild settings of today', 'GS'],
  ['  Peña   del Café ', 'PD'],
  ['東京カフェ', '東'],
  ['हिंदी गेमर्स', 'हिं'],
  ['Ольга', 'О'],
  ['', ''],
])('the initials of %j are %j', (name, expected) => {
  expect(initials(name)).toBe(expected);
});

test.each([
  'क्षत्रिय',
  '👨‍👩‍👧 family',
  '👍🏽',
  '❤️',
  '🇩🇪 de',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'e\u0301cole',
  '한국어',
  '\u{20bb7}野家',
  '#️⃣ tags',
  'ภาษาไทย',
  'العربية',
])('the first character of %s is the one that Intl.Segmenter finds', (word) => {
  const [first] = new Intl.Segmenter().segment(word);
  const shown = initials(word);
  expect(shown).toBe(first?.segment.toUpperCase());
});
