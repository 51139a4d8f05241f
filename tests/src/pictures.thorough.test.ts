import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HAS_BROWSER, startBrowser } from '@guild-settings/discord-sim/testing/browser';
import { GUILDS, PEOPLE, type Role, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { readSandboxConfig, startSandbox } from '@guild-settings/sandbox';
import { ResourceStack, temporaryFolder, waitUntil } from '@guild-settings/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logIn, newProfile, openFirstTab } from './testing/dashboard-pages.ts';
import { type DashboardWorld, startDashboardWorld } from './testing/dashboard-world.ts';
import { SettingsPage } from './testing/settings-page.ts';

const [TESTERS] = GUILDS;
const PATH = `/guilds/${TESTERS.id}`;
const TWO_HOURS_MS = 7_200_000;

/**
 * A time zone in which it is between noon and one o'clock, so that the changes of a test, and those two hours later,
 * are on one day.
 */
function zoneOfNoon(): string {
  const hours = new Date().getUTCHours() - 12;
  return `Etc/GMT${hours < 0 ? hours : `+${hours}`}`;
}

// Run in sequence: the changes of one picture are the history of the next.
describe.skipIf(!HAS_BROWSER)('the pictures of the documentation are those of the dashboard', () => {
  let world: DashboardWorld;
  let settings: SettingsPage;
  beforeAll(async () => {
    world = await startDashboardWorld();
    // The report of the bot is first in the history.
    await waitUntil(async () => (await read('/history')).includes('"kind":"platform"'));
    await change('owner', { enabledFeatures: ['reminders'] }, 'requested by the team');
    settings = new SettingsPage(await world.open(PEOPLE.manager, PATH, { timezoneId: zoneOfNoon() }));
    await settings.live();
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  const headers = (role: Role) => ({ authorization: `Bearer ${tokenOf(role)}` });

  const read = async (path: string) =>
    (await fetch(`${world.url}${PATH}${path}`, { headers: headers('owner') })).text();

  async function change(role: Role, patch: object, reason?: string): Promise<void> {
    const response = await fetch(`${world.url}${PATH}`, {
      method: 'PATCH',
      headers: {
        ...headers(role),
        'content-type': 'application/json',
        ...(reason !== undefined && { 'x-audit-log-reason': encodeURIComponent(reason) }),
      },
      body: JSON.stringify(patch),
    });
    expect(response.status).toBe(200);
  }

  test('the list of channels says where the bot cannot write', async () => {
    await settings.openChannels();
    await expectPictures(settings.page, 'channels', ['light', 'phone']);
    await settings.page.getByRole('option', { name: '#announcements' }).click();
  });

  test('a change is live, and can be undone', async () => {
    const { page } = settings;
    await settings.prefix.fill('?');
    // The bar stays while the clock is stopped.
    await page.clock.install();
    await settings.saved();
    await page.clock.pauseAt(Date.now() + 1_000);
    await page.mouse.move(0, 0);
    await expectPictures(page, 'settings', ['light', 'dark', 'phone']).finally(() => page.clock.resume());
    await page.getByRole('button', { name: 'Close' }).click();
  });

  test('two managers change the same setting', async () => {
    await settings.prefix.fill('$');
    await change('owner', { prefix: '%' });
    await settings.shows('Ольга set this to “%”');
    await expectPictures(settings.page, 'conflict', ['light', 'phone']);
    await settings.page.getByRole('button', { name: 'Take' }).click();
  });

  test('the history has sentences, and an undo shows what it would change', async () => {
    const { page } = settings;
    await change('manager', { beta: true, language: 'ja' }, 'for the beta test');
    await page.clock.setFixedTime(Date.now() + TWO_HOURS_MS);
    await page.goto(`${world.url}${PATH}/history`);
    await page.getByText('Updates in real time').waitFor();
    await page.getByText('Ольга changed the prefix').waitFor();
    await page.getByText('Ольга enabled Reminders').waitFor();
    await expectPictures(page, 'history', ['light', 'phone']);
    await page
      .getByRole('button', { name: /^Undo change/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('table').waitFor();
    await expectPictures(page, 'undo', ['light', 'phone']);
  });
});

test.skipIf(!HAS_BROWSER)('settings of one’s own are shown as `start` serves those of the example', async () => {
  using folder = temporaryFolder();
  const config = readSandboxConfig({
    PORT: '0',
    SIM_PORT: '0',
    HEALTH_PORT: '0',
    DATABASE_URL: `file:${folder.file('api.db')}`,
    BOT_DATABASE_URL: `file:${folder.file('bot.db')}`,
    SETTINGS_FILE: fileURLToPath(new URL('../../examples/own-settings/settings.ts', import.meta.url)),
  });
  await using sandbox = await startSandbox(config, { hasFirstChanges: true });
  await using resources = new ResourceStack();
  const browser = await startBrowser();
  resources.use({ [Symbol.asyncDispose]: () => browser.close() });
  const profile = await newProfile(browser);
  const url = sandbox.dashboardUrl ?? '';
  await logIn(profile, { url, personId: PEOPLE.manager.id });
  const settings = new SettingsPage(await openFirstTab(profile, `${url}${PATH}`));
  await settings.live();
  await settings.openGroup('Welcome');
  await settings.page.getByText('Say hello in the lounge.').last().waitFor();
  await expectPictures(settings.page, 'own-settings', ['light', 'dark']);
});

const FOLDER = new URL('../../docs/pictures/', import.meta.url);

/** True: takes the pictures again (`UPDATE_PICTURES=1`). */
const IS_UPDATE = process.env.UPDATE_PICTURES !== undefined;

const HINT = 'UPDATE_PICTURES=1 takes its pictures again, to be looked at before they are committed';

/** Maximum difference of the mean color of a part of a picture, of 255. */
const MAX_DIFFERENCE = 8;

const DESKTOP = { width: 1_080, height: 720 };
const PHONE = { width: 390, height: 780 };

interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: { readonly width: number; readonly height: number };
}

/** The looks in which pictures are taken, by the end of their file names. */
const LOOKS = {
  light: { colorScheme: 'light', viewport: DESKTOP },
  dark: { colorScheme: 'dark', viewport: DESKTOP },
  phone: { colorScheme: 'dark', viewport: PHONE },
} as const satisfies Record<string, Look>;

/** Parts that differ between runs: measured times, and times of day. */
const MASKS = [
  { pattern: 'after \\d+ ms', text: 'after 12 ms' },
  { pattern: '\\d{1,2}:\\d\\d:\\d\\d\\s[AP]M', text: '12:34:56 PM' },
] as const;

/**
 * Expects that the pictures of a page in the documentation are up to date: the page has the same texts and controls as
 * when they were taken, and, in the same browser with the same fonts, the same colors in the same places.
 */
async function expectPictures(page: Page, name: string, looks: readonly (keyof typeof LOOKS)[]): Promise<void> {
  await page.evaluate(maskTexts(MASKS));
  // Pictures have no scrollbar, and no space for it.
  await page.evaluate("document.documentElement.style.scrollbarGutter = 'auto'");
  await page.setViewportSize(DESKTOP);
  const description = new URL(`${name}.txt`, FOLDER);
  const fonts = await page.evaluate<string>(fontsOfPage);
  const tree = await treeOf(page);
  if (IS_UPDATE) writeFileSync(description, `${fonts}\n${tree}\n`);
  const [takenFonts, ...expected] = readFileSync(description, 'utf8').trimEnd().split('\n');
  expect(tree.split('\n'), `what ${name} shows; ${HINT}`).toStrictEqual(expected);
  for (const look of looks) {
    const picture = new URL(`${name}-${look}.webp`, FOLDER);
    if (IS_UPDATE) writeFileSync(picture, await take(page, LOOKS[look]), 'base64');
    const kept = readFileSync(picture, 'base64');
    // An open list is repositioned after the viewport has changed.
    const differs = async () => page.evaluate<number>(colorDifference(kept, await take(page, LOOKS[look])));
    if (fonts === takenFonts)
      await expect
        .poll(differs, { message: `how ${name} looks; ${HINT}`, timeout: 5_000 })
        .toBeLessThanOrEqual(MAX_DIFFERENCE);
  }
}

/** Returns the accessibility tree of a page, without messages that are only announced once. */
async function treeOf(page: Page): Promise<string> {
  const tree = await page.locator('body').ariaSnapshot();
  return tree.replaceAll(/^- (?:log|status)\b.*\n?(?: .*\n?)*/gm, '').trimEnd();
}

/** Returns a picture as WebP in base64. */
async function screenshot(page: Page, { colorScheme, viewport }: Look): Promise<string> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
  await page.evaluate('scrollTo(0, 0)');
  const session = await page.context().newCDPSession(page);
  await page.evaluate(waitForPaint);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 90 });
  await session.detach();
  return data;
}

/** Takes a picture without the parts that differ between runs. */
async function take(page: Page, look: Look): Promise<string> {
  await page.evaluate(maskTexts(MASKS));
  return screenshot(page, look);
}

/** Parts of a picture in each direction whose mean colors are compared. */
const PARTS = 24;

function maskTexts(masks: readonly { readonly pattern: string; readonly text: string }[]): string {
  return `(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      let text = node.data;
      for (const mask of ${JSON.stringify(masks)}) text = text.replaceAll(new RegExp(mask.pattern, 'g'), mask.text);
      if (text !== node.data) node.data = text;
    }
  })()`;
}

/** Resolves when the present state of the page is painted. */
const waitForPaint = `new Promise((resolve) => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => document.fonts.ready.then(() => resolve());
  channel.port2.postMessage('');
})`;

/** Returns the browser, and the width of a text of the page in it. */
const fontsOfPage = `(() => {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  context.font = getComputedStyle(document.body).font;
  const width = context.measureText('Server settings, Ольга, हिंदी, 東京, 12 ms').width;
  return navigator.userAgent.match(/Chrome\\/\\d+/)[0] + ', ' + context.font + ': ' + width;
})()`;

/**
 * Returns the largest difference between mean colors of the same part of two pictures, of 255. @param one, other WebP
 * in base64
 */
function colorDifference(one: string, other: string): string {
  return `(async () => {
    const colorsOf = async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes]), {
        resizeWidth: ${PARTS}, resizeHeight: ${PARTS}, resizeQuality: 'high',
      });
      const context = new OffscreenCanvas(${PARTS}, ${PARTS}).getContext('2d');
      context.drawImage(bitmap, 0, 0);
      return context.getImageData(0, 0, ${PARTS}, ${PARTS}).data;
    };
    const [a, b] = [await colorsOf('${one}'), await colorsOf('${other}')];
    return Math.max(...a.map((value, index) => Math.abs(value - b[index])));
  })()`;
}
