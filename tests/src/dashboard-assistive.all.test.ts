import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { PEOPLE } from '@guild-settings/discord-sim/testing/world';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect } from 'vitest';
import { reachState, type StateName } from './testing/dashboard-states.ts';
import { test } from './testing/dashboard-world.ts';
import {
  CUT_OFF_TEXTS,
  changeLanguage,
  DESKTOP,
  FOCUSED,
  type Focused,
  LISTEN,
  OUTLINE,
  type Outline,
  PHONE,
} from './testing/looks.ts';
import { SettingsPage } from './testing/settings-page.ts';
import { FIRST, hold, Stage } from './testing/stage.ts';

/** A script for the browser: resolves when the page was drawn, and its observers have been called. */
const NEXT_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))';

const NARROW = { width: 320, height: 640 };

describe.skipIf(!HAS_BROWSER)('the dashboard, as assistive technology and settings of the device need it', () => {
  let stage: Stage;
  test.beforeAll(({ world }) => {
    stage = new Stage(world, PEOPLE);
  });
  afterEach(() => stage.leave());
  afterAll(() => stage?.[Symbol.asyncDispose]());

  const reach = async (name: StateName): Promise<Page> => {
    const page = await reachState(stage, name);
    await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'none', colorScheme: 'light' });
    return page;
  };

  test.each([
    ['settings, unsaved changes', 'Save', PHONE],
    ['history, a new change', 'Undo', DESKTOP],
  ] as const)('nothing covers what has the focus: %s, on the way to "%s" and back', async (name, last, viewport) => {
    const shown = await reach(name);
    await shown.setViewportSize(viewport);
    await shown.getByRole('link', { name: 'Skip to content' }).focus();
    const forwards = await walk(shown, 'Tab', last);
    const backwards = await walk(shown, 'Shift+Tab', 'Skip to content');
    expect([...forwards, ...backwards].filter(({ hiddenPoints }) => hiddenPoints > 0)).toStrictEqual([]);
    expect(forwards.length).toBeGreaterThan(8);
  });

  test('what has the focus stays in view when the bar appears below it, and when the bar grows', async () => {
    const settings = new SettingsPage(await reach('settings'));
    const { page } = settings;
    await page.setViewportSize({ width: 360, height: 420 });
    let changes = 0;
    for (const [field, key] of [
      [settings.language, 'ArrowDown'],
      [settings.beta, 'Space'],
      [settings.feature('Reminders'), 'Space'],
    ] as const) {
      await field.focus();
      await page.evaluate(`document.activeElement.scrollIntoView({ block: 'end' })`);
      await page.keyboard.press(key);
      changes += 1;
      await settings.shows(new RegExp(`^${changes} unsaved change`));
      await expect.poll(() => page.evaluate<Focused | null>(FOCUSED)).toMatchObject({ hiddenPoints: 0 });
    }
  });

  test('what has the focus stays in view when a change of another person makes the part above it grow', async () => {
    const settings = new SettingsPage(await reach('settings'));
    const { page } = settings;
    await page.setViewportSize({ width: 360, height: 420 });
    await settings.prefix.fill('$');
    await settings.shows('1 unsaved change');
    await settings.language.focus();
    await page.evaluate(`document.activeElement.scrollIntoView({ block: 'end' })`);
    await stage.change(FIRST, { prefix: '?' });
    await page.getByRole('button', { name: 'Keep: “$”' }).waitFor();
    await expect.poll(() => page.evaluate<Focused | null>(FOCUSED)).toMatchObject({ hiddenPoints: 0 });
  });

  test.each([
    ['the header', ({ page }: SettingsPage) => page.getByRole('button', { name: 'Your account' })],
    ['a setting that was scrolled away', ({ prefix }: SettingsPage) => prefix],
  ])('the page stays where it was scrolled to when a change arrives, with the focus in %s', async (_, find) => {
    const settings = new SettingsPage(await reach('settings'));
    const { page } = settings;
    await page.setViewportSize({ width: 360, height: 420 });
    await find(settings).focus();
    const before = await page.evaluate<number>('scrollTo(0, document.body.scrollHeight); scrollY');
    await page.evaluate(NEXT_FRAMES);
    await stage.change(FIRST, { language: 'hi' });
    await settings.shows('changed this at');
    await page.evaluate(NEXT_FRAMES);
    // The browser keeps visible content in place, below the content that has grown.
    expect(await page.evaluate<number>('scrollY')).toBeGreaterThanOrEqual(before);
    expect(before).toBeGreaterThan(100);
  });

  test('what comes of an action is read out, and the focus stays where it was', async () => {
    const settings = new SettingsPage(await reach('settings'));
    const { page } = settings;
    await page.evaluate(LISTEN);
    await settings.prefix.fill('?');
    await expectSpoken(page, '1 unsaved change', settings.prefix);
    await settings.prefix.press('Enter');
    await expectSpoken(page, 'Saved. Live on this server', settings.prefix);
    await stage.change(FIRST, { language: 'hi', beta: true, enabledFeatures: [] });
    const changed = 'was changed';
    await expectSpoken(page, `Language ${changed}: Hindi; Beta features ${changed}: on; The features`, settings.prefix);
    await settings.prefix.fill('x'.repeat(21));
    await settings.prefix.press('Enter');
    await expectSpoken(page, 'Fix the marked settings to save', settings.prefix);
    await settings.prefix.fill('#');
    await stage.change(FIRST, { prefix: '%' });
    await expectSpoken(page, 'and you set it to “#”', settings.prefix);
    const spoken = await page.evaluate<string[]>('window.spoken');
    const conflicts = new Set(spoken.filter((text) => text.includes('and you set it to')));
    expect([...conflicts]).toStrictEqual([
      expect.stringMatching(/^[^“]+ set this to “%” at .+, and you set it to “#”\.$/),
    ]);
    await stage.erase(FIRST);
    await expectSpoken(page, 'The settings of this server were erased', settings.prefix);
  });

  test('with forced colours, the focus, a switch that is on and the page that is open are seen', async () => {
    const settings = new SettingsPage(await reach('settings'));
    const shown = settings.page;
    await shown.emulateMedia({ forcedColors: 'active' });
    await settings.beta.focus();
    await shown.keyboard.press('Shift+Tab');
    await shown.keyboard.press('Tab');
    expect(await styleOf(shown, ':focus', 'outlineStyle')).toBe('solid');
    expect(Number.parseFloat(await styleOf(shown, ':focus', 'outlineWidth'))).toBeGreaterThanOrEqual(2);
    const off = await styleOf(shown, ':focus', 'backgroundColor');
    await shown.keyboard.press('Space');
    expect(await styleOf(shown, ':focus', 'backgroundColor')).not.toBe(off);
    const [open, other] = ['main nav a[aria-current=page]', 'main nav a:not([aria-current])'];
    expect(await styleOf(shown, open, 'borderBottomColor')).not.toBe(await styleOf(shown, other, 'borderBottomColor'));
  });

  test('nothing moves by itself where the device asks for less motion', async () => {
    const loading = await reach('list, loading');
    expect((await loading.evaluate<Outline>(OUTLINE)).animations).toBe(0);
    await loading.emulateMedia({ reducedMotion: 'no-preference' });
    expect((await loading.evaluate<Outline>(OUTLINE)).animations).toBeGreaterThan(0);
    await stage.leave();
    const settings = new SettingsPage(await reach('settings'));
    await hold(settings.page, 'guilds.update');
    await settings.prefix.fill('?');
    await settings.bar.waitFor();
    expect((await settings.page.evaluate<Outline>(OUTLINE)).animations).toBe(0);
  });

  test.each([
    'login',
    'list',
    'settings, unsaved changes',
    'settings, conflict',
    'history, undone',
    'transfer, preview',
  ] as const)('nothing is lost at 320 pixels, nor with letters of twice the size: %s', async (name) => {
    const shown = await reach(name);
    for (const language of process.env.THOROUGH ? ['ru', 'ja', 'en-US'] : ['ru']) {
      await shown.evaluate(changeLanguage(language));
      await shown.setViewportSize(NARROW);
      expect([language, await shown.evaluate(CUT_OFF_TEXTS)]).toStrictEqual([language, []]);
      await shown.setViewportSize(DESKTOP);
      await shown.evaluate(`document.documentElement.style.fontSize = '200%'`);
      expect([language, '200%', await shown.evaluate(CUT_OFF_TEXTS)]).toStrictEqual([language, '200%', []]);
      await shown.evaluate(`document.documentElement.style.fontSize = ''`);
    }
  });
});

/** Presses a key until an element with a name has the focus. Returns all elements that had it on the way. */
async function walk(page: Page, key: string, last: string): Promise<readonly Focused[]> {
  const passed: Focused[] = [];
  for (let steps = 0; steps < 80; steps += 1) {
    const focused = await page.evaluate<Focused | null>(FOCUSED);
    if (focused !== null) passed.push(focused);
    if (focused?.name.includes(last)) return passed;
    await page.keyboard.press(key);
  }
  throw new Error(`Expected to reach "${last}" with ${key}, passed ${passed.map(({ name }) => name)}`);
}

/** Expects that a text is announced without moving the focus. */
async function expectSpoken(page: Page, text: string, focused?: Locator): Promise<void> {
  await expect.poll(() => page.evaluate<string[]>('window.spoken')).toContainEqual(expect.stringContaining(text));
  if (focused !== undefined) expect(await focused.and(page.locator(':focus')).count()).toBe(1);
}

function styleOf(page: Page, selector: string, property: string): Promise<string> {
  return page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`);
}
