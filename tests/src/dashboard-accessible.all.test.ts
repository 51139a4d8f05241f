import { writeFileSync } from 'node:fs';
import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { PEOPLE } from '@guild-settings/discord-sim/testing/world';
import { temporaryFolder } from '@guild-settings/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keepPicture, violationsOf } from './testing/accessible.ts';
import { DASHBOARD_STATES, STATES_OF_OWN_SETTINGS } from './testing/dashboard-states/all-states.ts';
import { OWN_SETTINGS } from './testing/dashboard-states/own-states.ts';
import { type DashboardState, DESKTOP, PHONE, Stage } from './testing/dashboard-states/stage.ts';
import { startDashboardWorld } from './testing/dashboard-world.ts';
import { OUTLINE, type Outline, SMALL_TARGETS } from './testing/page-checks/structure.ts';
import { CUT_OFF_TEXTS, changeLanguage, rawKeys, SPOKEN, TEXTS, untranslated } from './testing/page-checks/texts.ts';
import { PARTS, textsNotIn } from './testing/page-texts.ts';

const LANGUAGES = ['en-US', 'es-ES', 'ru', 'ja', 'hi'] as const;
const NAMES = [
  'Café Olé',
  'Guild 1',
  'A guild whose name is as long as Discord allows it to be, that is one hundred characters',
];

/**
 * A state is read in English and in Russian, which has the longest texts, on a phone. Axe looks at it in English, and at the first
 * state of a page in dark on a desktop, too. With `THOROUGH=1` it is every state, in every language, at both widths, in both colours.
 */
const { THOROUGH } = process.env;
const READ_IN = THOROUGH ? LANGUAGES : (['en-US', 'ru'] as const);
const OPERATED_IN = THOROUGH ? LANGUAGES : (['en-US'] as const);
const WIDTHS = THOROUGH ? [PHONE, DESKTOP] : [PHONE];

interface Look {
  readonly viewport: typeof PHONE;
  readonly colorScheme: 'light' | 'dark';
}

function looksAt(state: DashboardState): readonly Look[] {
  const looks = [PHONE, DESKTOP].flatMap((viewport) => [
    { viewport, colorScheme: 'light' as const },
    { viewport, colorScheme: 'dark' as const },
  ]);
  if (THOROUGH) return looks;
  const isFirstOfPage = !/[ ,]/.test(state.name);
  return looks.filter((_, index) => index === 0 || (index === 3 && isFirstOfPage));
}

/** The states of `test`: each page, each kind of dialog, menu and message. */
const SAMPLE = [
  'login',
  'login from a link to a page',
  'language and appearance',
  'list',
  'list of many',
  'list, empty',
  'list, service gone',
  'list with a guild without the bot',
  'guild without the bot',
  'guild of others',
  'account menu',
  'guild switcher',
  'no such page',
  'settings',
  'settings, unsaved changes',
  'settings, invalid',
  'settings, conflict',
  'settings, changed by a colleague',
  'settings, choosing a channel',
  'settings, features cannot be listed',
  'settings, offline',
  'settings, question before leaving',
  'settings, saved, live',
  'settings, undone',
  'history',
  'history, a new change',
  'history, actions and details of a change',
  'history, question before an undo',
  'history, a date to go back to',
  'change',
  'change that is not on record',
  'sessions',
  'sessions, question before all are ended',
  'transfer',
  'transfer, preview',
  'transfer, values refused',
  'transfer, imported',
  'settings, of an owner',
  'danger, for a manager',
  'danger, another name was typed',
  'danger, erased',
  'access',
  'access, choosing',
  'access, changed by another manager',
  'access, by id',
  'settings, for a viewer',
  'settings, made a viewer',
  'list, of an editor',
  'session over',
  'own settings',
  'own settings, changed',
];
const sampled = (states: readonly DashboardState[]) => states.filter(({ name }) => THOROUGH || SAMPLE.includes(name));
const STATES = sampled(DASHBOARD_STATES);
const OWN_STATES = sampled(STATES_OF_OWN_SETTINGS);

// Readable and operable by everybody, in every language.
describe.skipIf(!HAS_BROWSER)('the states of the dashboard', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = new Stage(await startDashboardWorld(), PEOPLE);
    for (let index = 0; index < 10; index += 1) {
      const id = String(900_000_000_000_000_000n + BigInt(index));
      stage.world.discord.world.addGuild({ id, name: NAMES[index] ?? `Guild ${index}`, ownerId: PEOPLE.member.id });
    }
  });
  afterAll(async () => {
    await stage?.[Symbol.asyncDispose]();
    await stage?.world[Symbol.asyncDispose]();
  });

  const shown: string[] = [];
  const check = async (state: DashboardState, stage: Stage) => {
    try {
      const page = await state.reach(stage);
      shown.push(...(await page.evaluate<string[]>(SPOKEN)));
      shown.push(...(await expectReadable(page, state)));
      await expectOperable(page, state);
    } finally {
      await state.leave?.(stage);
      await stage.leave();
    }
  };
  test.each(STATES.map((state) => [state.name, state] as const))('%s', (_, state) => check(state, stage));

  describe('with settings of a team', () => {
    const folder = temporaryFolder();
    const file = folder.file('settings.json');
    let own: Stage;
    beforeAll(async () => {
      writeFileSync(file, JSON.stringify(OWN_SETTINGS));
      const links = { SUPPORT_URL: 'https://bot.example/help', PRIVACY_URL: 'https://bot.example/privacy' };
      own = new Stage(await startDashboardWorld({ SETTINGS_FILE: file }, links), PEOPLE);
    });
    afterAll(async () => {
      await own?.[Symbol.asyncDispose]();
      await own?.world[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    });
    test.each(OWN_STATES.map((state) => [state.name, state] as const))('%s', (_, state) => check(state, own));
  });

  test('show or read out every text of the page, where all of them are shown', async () => {
    expect(await textsNotIn(shown, THOROUGH ? PARTS : [])).toStrictEqual([]);
    expect([...STATES, ...OWN_STATES].map(({ name }) => name)).toEqual(expect.arrayContaining(SAMPLE));
  });
});

/**
 * Expects whole texts, none of them a key or English in another language.
 * @returns those in English
 */
async function expectReadable(page: Page, { name }: DashboardState): Promise<readonly string[]> {
  const english = new Map<number, readonly string[]>();
  for (const language of READ_IN) {
    for (const viewport of WIDTHS) {
      const { width } = viewport;
      await page.setViewportSize(viewport);
      // The script also waits for the frames in which a list finds its new place.
      await page.evaluate(changeLanguage(language));
      const texts = await page.evaluate<string[]>(TEXTS);
      const cutOff = await page.evaluate<string[]>(CUT_OFF_TEXTS);
      await keepPicture(page, name, language, width);
      if (language === 'en-US') english.set(width, texts);
      const inEnglish = language === 'en-US' ? [] : untranslated(english.get(width) ?? [], texts);
      expect({ language, width, cutOff, inEnglish, rawKeys: rawKeys(texts) }).toStrictEqual({
        language,
        width,
        cutOff: [],
        inEnglish: [],
        rawKeys: [],
      });
      expect(texts.length).toBeGreaterThan(1);
    }
  }
  await page.evaluate(changeLanguage('en-US'));
  return [...english.values()].flat();
}

/** Expects that axe finds nothing, that what is pressed is large enough, and an outline by which people find their way. */
async function expectOperable(page: Page, state: DashboardState): Promise<void> {
  for (const language of OPERATED_IN) {
    await page.evaluate(changeLanguage(language));
    for (const { viewport, colorScheme } of looksAt(state)) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize(viewport);
      const [violations, smallTargets] = [await violationsOf(page, state.parts), await page.evaluate(SMALL_TARGETS)];
      expect({ colorScheme, violations, smallTargets }).toEqual({ colorScheme, violations: [], smallTargets: [] });
    }
    const { levels, title, ...outline } = await page.evaluate<Outline>(OUTLINE);
    expect(outline).toEqual({ lang: language, counts: { h1: 1, main: 1, header: 1, status: 1 }, animations: 0 });
    expect([levels[0], title]).toEqual([1, expect.stringMatching(/\S/)]);
    // No level is left out.
    expect(levels.every((level, index) => level <= (levels[index - 1] ?? 1) + 1)).toBe(true);
  }
}
