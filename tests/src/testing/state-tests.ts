import { writeFileSync } from 'node:fs';
import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { PEOPLE } from '@guild-settings/discord-sim/testing/world';
import { temporaryFolder } from '@guild-settings/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keepPicture, violationsOf } from './accessible.ts';
import { DASHBOARD_STATES, STATES_OF_OWN_SETTINGS } from './dashboard-states/all-states.ts';
import { OWN_SETTINGS } from './dashboard-states/own-states.ts';
import { type DashboardState, type PHONE, Stage } from './dashboard-states/stage.ts';
import { startDashboardWorld } from './dashboard-world.ts';
import { OUTLINE, type Outline, SMALL_TARGETS } from './page-checks/structure.ts';
import { CUT_OFF_TEXTS, changeLanguage, rawKeys, SPOKEN, TEXTS, untranslated } from './page-checks/texts.ts';

const NAMES = [
  'Café Olé',
  'Guild 1',
  'A guild whose name is as long as Discord allows it to be, that is one hundred characters',
];

/** The ways in which a state is looked at. */
export interface Looks {
  /** The languages in which its texts are read, English first. */
  readonly readIn: readonly string[];
  /** The languages in which axe looks at it. */
  readonly operatedIn: readonly string[];
  readonly widths: readonly (typeof PHONE)[];
  readonly colors: readonly ('light' | 'dark')[];
}

/**
 * Declares a test for each state: whole texts, none of them a key or English in another language, and nothing that axe finds.
 * @param states the states by their names; all unless given
 * @returns the texts that were shown or read out, which grow
 */
export function testStates(looks: Looks, states?: readonly string[]): readonly string[] {
  const shown: string[] = [];
  const chosen = (all: readonly DashboardState[]) =>
    all.filter(({ name }) => states?.includes(name) ?? true).map((state) => [state.name, state] as const);
  const [ofBasics, ofOwn] = [chosen(DASHBOARD_STATES), chosen(STATES_OF_OWN_SETTINGS)];
  if (states && ofBasics.length + ofOwn.length !== states.length) throw new Error('Expected names of states');

  const check = async (state: DashboardState, stage: Stage) => {
    try {
      const page = await state.reach(stage);
      shown.push(...(await page.evaluate<string[]>(SPOKEN)));
      shown.push(...(await expectReadable(page, state, looks)));
      await expectOperable(page, state, looks);
    } finally {
      await state.leave?.(stage);
      await stage.leave();
    }
  };

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
    afterAll(() => leave(stage));
    test.each(ofBasics)('%s', (_, state) => check(state, stage));
  });

  describe.skipIf(!HAS_BROWSER)('with settings of a team', () => {
    const folder = temporaryFolder();
    const file = folder.file('settings.json');
    let stage: Stage;
    beforeAll(async () => {
      writeFileSync(file, JSON.stringify(OWN_SETTINGS));
      const links = { SUPPORT_URL: 'https://bot.example/help', PRIVACY_URL: 'https://bot.example/privacy' };
      stage = new Stage(await startDashboardWorld({ SETTINGS_FILE: file, ...links }), PEOPLE);
    });
    afterAll(async () => {
      await leave(stage);
      folder[Symbol.dispose]();
    });
    test.each(ofOwn)('%s', (_, state) => check(state, stage));
  });
  return shown;
}

/** Leaves a stage and its world; undefined where it did not start. */
async function leave(stage: Stage | undefined): Promise<void> {
  await stage?.[Symbol.asyncDispose]();
  await stage?.world[Symbol.asyncDispose]();
}

/**
 * Expects whole texts, none of them a key or English in another language.
 * @returns those in English
 */
async function expectReadable(
  page: Page,
  { name }: DashboardState,
  { readIn, widths }: Looks,
): Promise<readonly string[]> {
  const english = new Map<number, readonly string[]>();
  for (const language of readIn) {
    for (const viewport of widths) {
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
async function expectOperable(page: Page, state: DashboardState, { operatedIn, widths, colors }: Looks): Promise<void> {
  for (const language of operatedIn) {
    await page.evaluate(changeLanguage(language));
    for (const [viewport, colorScheme] of widths.flatMap((width) => colors.map((color) => [width, color] as const))) {
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
