import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { GUILDS, PEOPLE, tokenOf } from '@guild-settings/sandbox/world';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from './testing/accessible.ts';
import { type DashboardWorld, startDashboardWorld } from './testing/dashboard-world.ts';

const [FIRST, SECOND, THIRD] = GUILDS.map(({ id }) => id);

describe.skipIf(!HAS_BROWSER)('the history', () => {
  let world: DashboardWorld;
  let page: Page;
  beforeAll(async () => {
    world = await startDashboardWorld();
    page = await world.open(PEOPLE.manager, `/guilds/${FIRST}/history`);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  /** Changes settings over REST. Returns the revision. */
  async function change(guild: string | undefined, role: 'owner' | 'manager', patch: object, reason = 'a reason') {
    const response = await fetch(`${world.apiUrl}/guilds/${guild}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${tokenOf(role)}`,
        'content-type': 'application/json',
        'x-audit-log-reason': encodeURIComponent(reason),
      },
      body: JSON.stringify(patch),
    });
    expect(response.status).toBe(200);
    return Number(response.headers.get('etag')?.replaceAll('"', ''));
  }

  const go = (path: string) => page.goto(`${world.dashboardUrl}${path}`);
  const entry = (revision: number) => page.locator(`[data-revision="${revision}"]`);
  const sentences = () => page.locator('[data-revision] > div > p:first-child').allTextContents();

  test('says who changed what, why and how, and shows the difference that a sentence does not say', async () => {
    const both = await change(FIRST, 'manager', { prefix: '?', language: 'ja' }, 'requested by the team');
    const one = await change(FIRST, 'owner', { enabledFeatures: ['reminders', 'polls'] });
    await go(`/guilds/${FIRST}/history`);
    await entry(one).waitFor();
    expect(await sentences()).toStrictEqual([
      `${PEOPLE.owner.globalName} enabled reminders and polls`,
      'Mika (you) changed the prefix and the language',
      'The bot was added to this server',
    ]);
    expect(await entry(both).getByRole('row').allInnerTexts()).toStrictEqual([
      'Setting\tBefore\tAfter',
      'Prefix\t!\t?',
      'Language\tAmerican English\tJapanese',
    ]);
    expect(await entry(both).textContent()).toContain('Reason: requested by the team');
    expect(await entry(both).textContent()).toContain('over the REST API');
    await expectAccessible(page);
    await change(FIRST, 'manager', { announcement_channel: GUILDS[0].channels.announcements });
    await page.getByRole('button', { name: 'Show 1 new change' }).click();
    await page.getByText('Mika (you) chose #announcements for announcements').waitFor();
  });

  test('authors have their names, after one request for a page of the history, and nothing keeps them', async () => {
    await change(FIRST, 'manager', { beta: true });
    await change(FIRST, 'owner', { beta: false });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await go(`/guilds/${FIRST}/history`);
    const owner = PEOPLE.owner.globalName;
    await page.getByText(`${owner} switched beta features off`).waitFor();
    await page.getByLabel('Who').selectOption(owner);
    await page.waitForURL(`**/history?by=${PEOPLE.owner.id}`);
    await page.getByText('switched beta features on').waitFor({ state: 'hidden' });
    expect(await page.getByText(`${owner} switched beta features off`).count()).toBe(1);
    expect(requests.filter((url) => url.includes('/guilds.members'))).toHaveLength(1);
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(kept).not.toContain(owner);
  });

  test('an undo names the later changes that are in its way, and undoes them first', async () => {
    const first = await change(SECOND, 'manager', { prefix: '?' });
    const later = await change(SECOND, 'owner', { prefix: '#' });
    await go(`/guilds/${SECOND}/history`);
    await page.getByRole('button', { name: `Undo change #${first}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`Prefix: ? → # (#${later}, ${PEOPLE.owner.globalName}`).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: `Undo change #${later} first` }).click();
    await dialog.getByRole('cell', { name: '?' }).waitFor();
    await dialog.getByLabel('Reason (optional)').fill('was a mistake');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Undo the change' }).click();
    await entry(later + 1).waitFor();
    await page
      .getByText(new RegExp(`^Change #${later} was undone\\. Live on this server after \\d+ ms\\.$`))
      .first()
      .waitFor();
    expect(await sentences()).toContain(`Mika (you) undid change #${later}`);
    expect(await entry(later).textContent()).toContain(`Undone by change #${later + 1}`);
    expect(await entry(later + 1).textContent()).toContain('Reason: was a mistake');
  });

  test('what has changed since the difference was shown is shown before anything is undone', async () => {
    const first = await change(SECOND, 'manager', { beta: true });
    await go(`/guilds/${SECOND}/history`);
    await page.getByRole('button', { name: `Undo change #${first}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('table').waitFor();
    await change(SECOND, 'owner', { language: 'hi' });
    await dialog.getByRole('button', { name: 'Undo the change' }).click();
    await dialog.getByText('Nothing has been done yet').waitFor();
    await dialog.getByRole('button', { name: 'Undo the change' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText(`undid change #${first}`).waitFor();
  });

  test('a change that is made meanwhile is offered, and moves nothing until it is wanted', async () => {
    const shown = await change(THIRD, 'manager', { prefix: '?' });
    await go(`/guilds/${THIRD}/history`);
    await page.getByText('New changes appear here by themselves.').waitFor();
    const before = await entry(shown).boundingBox();
    const made = await change(THIRD, 'owner', { prefix: '%' });
    const offer = page.getByRole('button', { name: 'Show 1 new change' });
    await offer.waitFor();
    expect(await entry(shown).boundingBox()).toStrictEqual(before);
    expect(await page.getByRole('status').allTextContents()).toContain('Show 1 new change');
    await expectAccessible(page);
    await offer.click();
    await entry(made).waitFor();
  });

  test('filters are in the address, and older changes are loaded when they are wanted', async () => {
    for (let n = 0; n < 30; n += 1) await change(THIRD, 'manager', { prefix: `${n}` });
    await change(THIRD, 'manager', { beta: true });
    await go(`/guilds/${THIRD}/history`);
    await page.getByLabel('What').selectOption('Prefix');
    await page.getByLabel('Who').selectOption('Mika (you)');
    await page.waitForURL(`**/history?field=prefix&by=${PEOPLE.manager.id}`);
    await page.reload();
    await page.getByRole('button', { name: 'Load older changes' }).click();
    await page.getByText('This is the oldest change on record.').waitFor();
    const found = await sentences();
    expect(found).toHaveLength(31);
    expect(found.every((sentence) => sentence.startsWith('Mika (you) changed the prefix from '))).toBe(true);
    await page.getByLabel('What').selectOption('Server icon');
    await page.getByRole('heading', { name: 'No change matches' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show all changes' }).click();
    await page.getByText('switched beta features on').waitFor();
  });

  test('a change has a permanent link, from which all settings are restored to that point', async () => {
    const point = await change(SECOND, 'manager', { prefix: '>', beta: false, language: 'en-US' });
    await change(SECOND, 'owner', { prefix: '<', language: 'ru' });
    await go(`/guilds/${SECOND}/history/${point}`);
    await page.getByRole('heading', { name: `Change #${point}` }).waitFor();
    await page.getByText('Not undone').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Restore this state' }).click();
    await page.getByRole('dialog').getByRole('row', { name: 'Language Russian American English' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('link', { name: 'All changes' }).click();
    await page.getByText(`restored the settings of change #${point}`).waitFor();
  });

  test('an address of a change that is not on record says so', async () => {
    await go(`/guilds/${SECOND}/history/999999`);
    await page.getByRole('heading', { name: 'This change is not on record' }).waitFor();
    await expectAccessible(page);
  });

  test('a date before the history on record is refused, and one after the last change has nothing to restore', async () => {
    await go(`/guilds/${SECOND}/history`);
    await page.getByRole('button', { name: 'Go back to a date' }).click();
    await page.getByLabel('Date and time').fill('2020-01-01T10:00');
    await page.getByRole('button', { name: 'Show the difference' }).click();
    await page.getByText('The history on record begins later than that.').waitFor();
    await expectAccessible(page);
    const now = new Date();
    // Chromium writes a whole minute without its seconds, which Playwright takes for a malformed value.
    const second = now.getSeconds() === 0 ? 1_000 : 0;
    const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000 - second);
    await page.getByLabel('Date and time').fill(local.toISOString().slice(0, 19));
    await page.getByRole('button', { name: 'Show the difference' }).click();
    await page.getByText('There is nothing to restore.').waitFor();
  });

  test('works by the keyboard alone, and gives the focus back', async () => {
    const made = await change(SECOND, 'manager', { prefix: '$' });
    await go(`/guilds/${SECOND}/history`);
    await entry(made).waitFor();
    const undo = `Undo change #${made}`;
    const focused = () => page.locator(':focus').getAttribute('aria-label');
    await page.keyboard.press('Tab');
    for (let n = 0; n < 40 && (await focused()) !== undo; n += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('table').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await focused()).toBe(undo);
  });

  test('while the service is gone the page says so, and goes on when it is back', async () => {
    await world.killApi();
    await go(`/guilds/${FIRST}/history`);
    await page.getByRole('heading', { name: 'The service does not respond' }).waitFor();
    await expectAccessible(page);
    await world.startApi();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The bot was added to this server').waitFor();
  });
});
