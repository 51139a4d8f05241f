import type { Route } from 'playwright-core';
import type { SettingsPage } from '../settings-page.ts';
import { openDeaf, openLive } from './open-settings.ts';
import { each, FIRST, goOffline, hold, keepWaiting, refuse, type Stage, type States } from './stage.ts';

/** Saves a change. The service says of it what is given here. */
async function saveWith(stage: Stage, arrival: string | undefined): Promise<SettingsPage> {
  const settings = await openDeaf(stage);
  await settings.page.route('**/trpc/guilds.update*', (route) => answerWith(route, arrival));
  await settings.prefix.fill('?');
  await settings.save.click();
  await settings.page.getByRole('button', { name: 'Undo' }).waitFor();
  return settings;
}

async function answerWith(route: Route, arrival: string | undefined): Promise<void> {
  const response = await route.fetch();
  const { arrival: _, ...headers } = response.headers();
  await route.fulfill({ response, headers: { ...headers, ...(arrival !== undefined && { arrival }) } });
}

const ARRIVALS = {
  live: 'live; latency=12',
  pending: 'pending',
  away: 'away',
  rejected: 'rejected',
  unknown: undefined,
  'live, a moment ago': 'live',
  'live without one process': 'live; latency=12; processes=3; away=1',
};

const FAILURES = [
  ['limited', { slug: 'rate-limited', status: 429, fields: { retryAfter: 600 } }],
  ['the log is full', { slug: 'change-log-full', status: 409 }],
  ['not confirmed', { slug: 'write-unconfirmed', status: 503 }],
  ['service gone', { slug: 'store-unavailable', status: 503 }],
  ['forbidden', { slug: 'forbidden', status: 403 }],
  ['session over', { slug: 'not-authenticated', status: 401 }],
  ['too large', { slug: 'body-too-large', status: 413 }],
  ['not explained', { slug: 'invalid-request', status: 400 }],
] as const;

/** Saving, its outcome, and its undo. */
export const SAVE_STATES: States = {
  'settings, saving': async (stage) => {
    const settings = await openLive(stage);
    await hold(settings.page, 'guilds.update');
    await settings.prefix.fill('?');
    await settings.save.click();
    await settings.shows('Saving…');
  },
  'settings, saved and waiting for the bot': async (stage) => {
    const settings = await openLive(stage);
    // The service has made the change, and its response has not arrived.
    await settings.page.route('**/trpc/guilds.update*', async (route) => {
      await route.fetch();
      keepWaiting(settings.page, route);
    });
    await settings.prefix.fill('?');
    await settings.save.click();
    await settings.shows('Saved. Waiting for the bot…');
  },
  ...each(Object.entries(ARRIVALS), ([name, arrival]) => [
    `settings, saved, ${name}`,
    async (stage) => (await saveWith(stage, arrival)).page,
  ]),
  'settings, undone': async (stage) => {
    const { page } = await saveWith(stage, ARRIVALS.away);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').first().waitFor();
  },
  'settings, undo refused because of a later change': async (stage) => {
    const { page } = await saveWith(stage, ARRIVALS.away);
    await stage.change(FIRST, { prefix: '#' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('A later change set this too.').first().waitFor();
  },
  'settings, undo limited': async (stage) => {
    const { page } = await saveWith(stage, ARRIVALS.away);
    await refuse(page, 'guilds.undo', { slug: 'rate-limited', status: 429, fields: { retryAfter: 600 } });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Nothing was undone').first().waitFor();
  },
  'settings, undo refused because the log is full': async (stage) => {
    const { page } = await saveWith(stage, ARRIVALS.away);
    await refuse(page, 'guilds.undo', { slug: 'change-log-full', status: 409 });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('You can undo this in the history tomorrow.').first().waitFor();
  },
  'settings, undoing': async (stage) => {
    const { page } = await saveWith(stage, ARRIVALS.away);
    await hold(page, 'guilds.undo');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Undoing…' }).waitFor();
  },
  ...each(FAILURES, ([name, refusal]) => [
    `settings, not saved, ${name}`,
    async (stage) => {
      const settings = await openDeaf(stage);
      await refuse(settings.page, 'guilds.update', refusal);
      await settings.prefix.fill('?');
      await settings.save.click();
      await settings.bar.getByRole('alert').waitFor();
    },
  ]),
  'settings, not saved, offline': {
    async reach(stage) {
      const settings = await openDeaf(stage);
      await settings.page.route('**/trpc/guilds.update*', async (route) => {
        await goOffline(settings.page);
        await route.abort();
      });
      await settings.prefix.fill('?');
      await settings.save.click();
      await settings.bar.getByText('You are offline.').waitFor();
    },
    leave: async (stage) => (await stage.page('manager')).context().setOffline(false),
  },
  'settings, not saved, changed again and again': async (stage) => {
    const settings = await openDeaf(stage);
    let beta = false;
    await settings.page.route('**/trpc/guilds.update*', async (route) => {
      beta = !beta;
      await stage.change(FIRST, { beta });
      await route.continue();
    });
    await settings.prefix.fill('?');
    await settings.save.click();
    await settings.shows('The settings change faster than they can be saved.');
  },
};
