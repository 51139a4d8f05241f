import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { expect, test } from 'vitest';
import { DESKTOP, PHONE } from './testing/dashboard-states/stage.ts';
import { PARTS, textsNotIn } from './testing/page-texts.ts';
import { testStates } from './testing/state-tests.ts';

const LANGUAGES = ['en-US', 'es-ES', 'ru', 'ja', 'hi'];

const shown = testStates({
  readIn: LANGUAGES,
  operatedIn: LANGUAGES,
  widths: [PHONE, DESKTOP],
  colors: ['light', 'dark'],
});

test.skipIf(!HAS_BROWSER)('show or read out every text of the page', async () => {
  expect(await textsNotIn(shown, PARTS)).toStrictEqual([]);
});
