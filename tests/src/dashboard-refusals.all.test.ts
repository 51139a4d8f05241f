import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { waitUntil } from '@guild-settings/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorsOf, logIn, TWO_FRAMES } from './testing/dashboard-pages.ts';
import { type DashboardWorld, startDashboardWorld } from './testing/dashboard-world.ts';
import { addPerson, type Person } from './testing/own-guild.ts';
import { SettingsPage, SMALL } from './testing/settings-page.ts';

const MINUTE_MS = 60_000;
/** Four times as many requests for files of the page may come from the single address of all browsers here. */
const CALLS_PER_MINUTE = 600;
describe.skipIf(!HAS_BROWSER)('the dashboard, when it is refused something', () => {
  let world: DashboardWorld;
  beforeAll(async () => {
    world = await startDashboardWorld({ RATE_LIMIT_PER_MINUTE: String(CALLS_PER_MINUTE) });
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  describe.concurrent('for one person', () => {
    test('at the address of a guild that does not exist, every page says that it is not one of theirs, and none fails', async () => {
      const own = await world.addGuild('Mine');
      await using page = await world.open(own.manager, '/guilds/987654321098765432');
      const errors = errorsOf(page);
      for (const part of ['', '/history', '/history/1', '/access', '/transfer', '/danger']) {
        if (part !== '') await page.goto(`${world.url}/guilds/987654321098765432${part}`);
        await page.getByRole('heading', { name: 'You cannot manage this server' }).waitFor();
        expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      }
      await page.getByRole('link', { name: 'Melody' }).click();
      await page.getByRole('link', { name: own.name, exact: true }).click();
      await page.locator('[data-live=live]').waitFor();
      expect(errors.filter((error) => !error.includes('403'))).toStrictEqual([]);
    });

    test.each([
      ['is no id', 'somewhere'],
      ['is too short', '12345/history'],
    ])('at the address of a guild that %s, there is nothing', async (_, path) => {
      const person = addPerson(world.discord, 'Rosa');
      await using page = await world.open(person, `/guilds/${path}`);
      await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    });

    test('a session that is ended elsewhere says nothing of unsaved changes where there are none', async () => {
      const guild = await world.addGuild('Without changes');
      await using settings = await SettingsPage.open(world, guild, guild.manager, SMALL);
      {
        await using elsewhere = await world.open(guild.manager, '/sessions');
        await endTheOther(elsewhere);
      }
      await settings.shows('Your session has ended');
      expect(await settings.page.getByText('unsaved changes').count()).toBe(0);
      await settings.prefix.fill('?');
      await settings.shows('Your unsaved changes are kept in this tab. Log in to continue.');
    });

    test('a session that is ended elsewhere: nothing is written, and another login leads back to the draft', async () => {
      const guild = await world.addGuild('Ended elsewhere');
      await using settings = await SettingsPage.open(world, guild, guild.manager, SMALL);
      await settings.prefix.fill('?');
      {
        await using elsewhere = await world.open(guild.manager, '/sessions');
        await endTheOther(elsewhere);
      }
      await settings.shows('Your session has ended');
      await settings.shows('Your unsaved changes are kept in this tab. Log in to continue.');
      await settings.shows('Reconnecting…');
      expect(await settings.save.isDisabled()).toBe(true);
      expect(await settings.prefix.inputValue()).toBe('?');
      expect(await guild.record()).toMatchObject({ prefix: '!' });
      await settings.page.getByRole('link', { name: 'Log in again' }).click();
      await settings.page.getByText('Your session has ended').waitFor({ state: 'detached' });
      await settings.live();
      expect([new URL(settings.page.url()).pathname, await settings.prefix.inputValue()]).toEqual([guild.path, '?']);
      await settings.saved();
      expect(await guild.record()).toMatchObject({ prefix: '?' });
    });

    test('a page whose person was replaced by another one gets no events of their session, and does not end it', async () => {
      const guild = await world.addGuild('Left open');
      await using settings = await SettingsPage.open(world, guild, guild.manager, SMALL);
      const { page } = settings;
      await settings.prefix.fill('?');
      await logIn(page.context(), { url: world.url, personId: guild.owner.id });
      await settings.shows('Your session has ended');
      await settings.shows('Reconnecting…');
      const refused = page.waitForResponse((response) => response.url().includes('/trpc/guilds.follow'));
      await guild.change(guild.owner, { language: 'hi' });
      expect((await refused).status()).toBe(401);
      expect(await settings.language.inputValue()).toBe('en-US');
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click();
      // The page of the person who is now logged in.
      await page.getByRole('link', { name: guild.name, exact: true }).waitFor();
      expect(await page.evaluate('Object.keys(sessionStorage).join()')).not.toContain('draft:');
    });

    test('a session that ends while it is read is over, although the response of before says that it is active', async () => {
      const guild = await world.addGuild('Read too early');
      await using page = await world.open(guild.manager, '/');
      await page.getByRole('link', { name: guild.name, exact: true }).waitFor();
      const body = String(await page.evaluate("fetch('/session').then((response) => response.text())"));
      let respond: (() => Promise<void>) | undefined;
      await page.route('**/session', (route) => {
        respond = () => route.fulfill({ contentType: 'application/json', body }).catch(() => {});
      });
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      await waitUntil(() => respond !== undefined);
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Refresh servers' }).click();
      const over = page.getByRole('heading', { name: 'Your session has ended' });
      await over.waitFor();
      await respond?.();
      await page.evaluate(TWO_FRAMES);
      expect(await over.count()).toBe(1);
    });
  });

  test('after too many calls the page says when it goes on, and does so then: a list appears, a draft is saved', async () => {
    const guild = await world.addGuild('Busy');
    await using settings = await SettingsPage.open(world, guild, guild.manager, SMALL);
    const { clock } = settings.page.context();
    const list = await settings.page.context().newPage();
    await clock.install();
    await settings.page.reload();
    await settings.live();
    await settings.prefix.fill('?');
    await spendCalls(world, guild.manager);
    await settings.save.click();
    await settings.shows(/^Too many changes at once\. Save again in \d+ seconds?\.$/);
    expect(await settings.save.isDisabled()).toBe(true);
    await list.goto(world.url);
    await list.getByRole('heading', { name: 'Too many requests' }).waitFor();
    await list.getByRole('button', { name: /^Try again in \d+ seconds?$/ }).waitFor();
    expect(await guild.record()).toMatchObject({ prefix: '!' });
    // The limit is in the memory of the process: avoids waiting for its minute.
    await world.killApi();
    await world.startApi();
    await clock.fastForward(MINUTE_MS);
    await list.getByRole('link', { name: guild.name, exact: true }).waitFor();
    await settings.page.getByText('Too many changes at once').waitFor({ state: 'detached' });
    await settings.live();
    await settings.saved();
    expect(await guild.record()).toMatchObject({ prefix: '?' });
  });
});

async function endTheOther(page: Page): Promise<void> {
  const other = page.getByRole('listitem').filter({ hasNotText: 'This browser' });
  await other.getByRole('button', { name: /^End the session/ }).click();
  // The page may be closed after the server has answered.
  await other.waitFor({ state: 'detached' });
}

/** Makes calls as another program of a person until the service refuses them. */
async function spendCalls({ url }: DashboardWorld, { token }: Person): Promise<void> {
  for (let calls = 0; calls <= CALLS_PER_MINUTE; calls += 1) {
    const { status } = await fetch(`${url}/users/@me`, { headers: { authorization: `Bearer ${token}` } });
    if (status === 429) return;
  }
  throw new Error(`Expected a refusal after ${CALLS_PER_MINUTE} calls`);
}
