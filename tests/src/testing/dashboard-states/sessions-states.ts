import { PEOPLE } from '@guild-settings/discord-sim/testing/world';
import type { Page } from 'playwright-core';
import { openLive } from './open-settings.ts';
import { cut, type DashboardState, heading, hold, openMenu, type Stage } from './stage.ts';

/** Makes a draft, and opens the account's menu. */
async function typeWithoutSaving(stage: Stage): Promise<Page> {
  const settings = await openLive(stage);
  await settings.prefix.fill('?');
  await settings.shows('1 unsaved change');
  return openMenu(settings.page, 'Your account');
}

/** Where the person is logged in, and logging out. */
export const SESSIONS_STATES: readonly DashboardState[] = [
  {
    name: 'sessions, loading',
    async reach(stage) {
      await hold(await stage.page('manager'), '/sessions');
      // The page has the same address.
      const page = await stage.open('manager', '/');
      await openMenu(page, 'Your account');
      await page.getByRole('link', { name: 'Your sessions' }).click();
      await heading(page, 'Sessions');
      await page.getByText('Loading…').waitFor();
      return page;
    },
  },
  {
    name: 'sessions',
    async reach(stage) {
      const page = await stage.open('manager', '/sessions');
      await page.getByText('This browser').waitFor();
      return page;
    },
  },
  {
    name: 'sessions, one was ended',
    async reach(stage) {
      // A program that does not say what it is.
      const other = await stage.world.open(PEOPLE.manager, '/', { userAgent: 'unknown' });
      await other.close();
      const page = await stage.open('manager', '/sessions');
      await page.getByRole('heading', { name: 'Unknown device' }).waitFor();
      await page.getByRole('button', { name: 'End the session: Unknown device' }).click();
      await page.getByText('The session was ended: Unknown device').waitFor({ state: 'attached' });
      return page;
    },
  },
  {
    name: 'sessions, of an unknown device',
    async reach(stage) {
      const other = await stage.world.open(PEOPLE.manager, '/', { userAgent: 'unknown' });
      await other.close();
      const page = await stage.open('manager', '/sessions');
      await page.getByRole('heading', { name: 'Unknown device' }).waitFor();
      return page;
    },
  },
  {
    name: 'sessions, the end of one failed',
    async reach(stage) {
      const page = await stage.open('manager', '/sessions');
      await page.getByText('This browser').waitFor();
      await cut(page, '/sessions/*');
      await page
        .getByRole('button', { name: /^End the session/ })
        .first()
        .click();
      await page.getByRole('alert').waitFor();
      return page;
    },
  },
  {
    name: 'sessions, question before all are ended',
    async reach(stage) {
      const page = await stage.open('manager', '/sessions');
      await page.getByRole('button', { name: 'End all sessions' }).click();
      await page.getByRole('alertdialog').waitFor();
      return page;
    },
  },
  {
    name: 'sessions, question before all are ended, with unsaved changes',
    async reach(stage) {
      const page = await typeWithoutSaving(stage);
      await page.getByRole('link', { name: 'Your sessions' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
      await page.getByRole('button', { name: 'End all sessions' }).click();
      await page.getByText('Changes that are not saved are discarded.').waitFor();
      return page;
    },
  },
  {
    name: 'question before a logout, with unsaved changes',
    async reach(stage) {
      const page = await typeWithoutSaving(stage);
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByRole('alertdialog').waitFor();
      return page;
    },
  },
  {
    name: 'sessions, service gone',
    async reach(stage) {
      const page = await stage.open('manager', '/');
      await cut(page, '/sessions');
      await openMenu(page, 'Your account');
      await page.getByRole('link', { name: 'Your sessions' }).click();
      await heading(page, 'The service does not respond');
      return page;
    },
  },
];

/** The session is over: the last states of a person. */
export const SESSION_OVER_STATES: readonly DashboardState[] = [
  {
    name: 'session over',
    async reach(stage) {
      const page = await stage.open('stranger', '/');
      await heading(page, 'No servers to manage');
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Ask Discord again' }).click();
      await heading(page, 'Your session has ended');
      return page;
    },
    leave: (stage) => stage.close('stranger'),
  },
];
