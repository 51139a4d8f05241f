import { LANGUAGES } from '@guild-settings/contract';
import { textFlaws } from '@guild-settings/i18n/compare-texts';
import { expect, test } from 'vitest';
import { BOT_TEXTS } from './bot-text.ts';

test.each(LANGUAGES)('%s has the texts of English', (language) => {
  expect(textFlaws(language, BOT_TEXTS[language], BOT_TEXTS['en-US'])).toStrictEqual([]);
});
