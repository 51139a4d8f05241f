import { PEOPLE } from '@guild-settings/discord-sim/testing/world';
import type { Page } from 'playwright-core';
import { openLive } from './open-settings.ts';
import { cut, heading, hold, openMenu, type Stage, type States } from './stage.ts';

/** Makes a draft, and opens the account's menu. */
async function typeWithoutSaving(stage: Stage): Promise<Page> {
  const settings = await openLive(stage);
  await settings.prefix.fill('?');
  await settings.shows('1 unsaved change');
  return openMenu(settings.page, 'Your account');
}

/** The list of sessions, and logging out. */
export const SESSIONS_STATES: States = {
  'sessions, loading': async (stage) => {
    await hold(await stage.page('manager'), '/sessions');
    // The page has the same address.
    const page = await stage.open('manager', '/');
    await openMenu(page, 'Your account');
    await page.getByRole('link', { name: 'Your sessions' }).click();
    await heading(page, 'Sessions');
    await page.getByText('Loading…').waitFor();
  },
  sessions: async (stage) => {
    const page = await stage.open('manager', '/sessions');
    await page.getByText('This browser').waitFor();
  },
  'sessions, one was ended': async (stage) => {
    // A program that does not say what it is.
    const other = await stage.world.open(PEOPLE.manager, '/', { userAgent: 'unknown' });
    await other.close();
    const page = await stage.open('manager', '/sessions');
    await page.getByRole('heading', { name: 'Unknown device' }).waitFor();
    await page.getByRole('button', { name: 'End the session: Unknown device' }).click();
    await page.getByText('The session was ended: Unknown device').waitFor({ state: 'attached' });
  },
  'sessions, of an unknown device': async (stage) => {
    const other = await stage.world.open(PEOPLE.manager, '/', { userAgent: 'unknown' });
    await other.close();
    const page = await stage.open('manager', '/sessions');
    await page.getByRole('heading', { name: 'Unknown device' }).waitFor();
  },
  'sessions, the end of one failed': async (stage) => {
    const page = await stage.open('manager', '/sessions');
    await page.getByText('This browser').waitFor();
    await cut(page, '/sessions/*');
    await page
      .getByRole('button', { name: /^End the session/ })
      .first()
      .click();
    await page.getByRole('alert').waitFor();
  },
  'sessions, question before all are ended': async (stage) => {
    const page = await stage.open('manager', '/sessions');
    await page.getByRole('button', { name: 'End all sessions' }).click();
    await page.getByRole('alertdialog').waitFor();
  },
  'sessions, question before all are ended, with unsaved changes': async (stage) => {
    const page = await typeWithoutSaving(stage);
    await page.getByRole('link', { name: 'Your sessions' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('button', { name: 'End all sessions' }).click();
    await page.getByText('Unsaved changes are discarded.').waitFor();
  },
  'question before a logout, with unsaved changes': async (stage) => {
    const page = await typeWithoutSaving(stage);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('alertdialog').waitFor();
  },
  'sessions, service gone': async (stage) => {
    const page = await stage.open('manager', '/');
    await cut(page, '/sessions');
    await openMenu(page, 'Your account');
    await page.getByRole('link', { name: 'Your sessions' }).click();
    await heading(page, 'The service does not respond');
  },
};

/** The session is over: the last states of a person. */
export const SESSION_OVER_STATES: States = {
  'session over': {
    async reach(stage) {
      const page = await stage.open('stranger', '/');
      await heading(page, 'No servers to manage');
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Refresh servers' }).click();
      await heading(page, 'Your session has ended');
    },
    leave: (stage) => stage.close('stranger'),
  },
};
