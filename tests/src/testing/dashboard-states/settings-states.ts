import { PEOPLE } from '@guild-settings/sandbox/world';
import { waitUntil } from '@guild-settings/testing';
import type { Page, Route } from 'playwright-core';
import { SettingsPage } from '../settings-page.ts';
import {
  cut,
  type DashboardState,
  FIRST,
  FOREIGN,
  goOffline,
  hold,
  keepWaiting,
  refuse,
  respond,
  type Stage,
} from './stage.ts';

const PATH = `/guilds/${FIRST.id}`;
const SEND_MESSAGES = 1n << 11n;
const MANAGE_GUILD = 1n << 5n;
const DEFAULTS = { prefix: '!', language: 'en-US', announcement_channel: '', beta: false, enabledFeatures: [] };

/** Opens the settings of a guild with the values that it has by default, and with others. */
async function open(stage: Stage, values: object = {}): Promise<SettingsPage> {
  await stage.change(FIRST, { ...DEFAULTS, ...values });
  const settings = new SettingsPage(await stage.open('manager', PATH));
  await settings.prefix.waitFor();
  return settings;
}

async function openLive(stage: Stage, values: object = {}): Promise<SettingsPage> {
  const settings = await open(stage, values);
  await settings.live();
  return settings;
}

/** Opens the settings without the stream of events, which would say later what the response of a save does not. */
async function openDeaf(stage: Stage): Promise<SettingsPage> {
  await hold(await stage.page('manager'), 'guilds.follow');
  return open(stage);
}

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

/** A catalogue with a feature that needs beta features. */
const CATALOGUE = [
  {
    name: 'polls',
    beta: true,
    names: { 'en-US': 'Polls', 'es-ES': 'Encuestas', ru: 'Опросы', ja: '投票', hi: 'मतदान' },
    descriptions: {},
  },
];

/** A channel in which the bot has no permission at all. */
const HIDDEN_CHANNEL = {
  id: '999999999999999998',
  type: 2,
  name: 'lounge',
  position: 0,
  parent_id: null,
  botCanPost: false,
  missing: ['VIEW_CHANNEL', 'SEND_MESSAGES', 'CONNECT'],
};

async function loseWith(stage: Stage, fail: (page: Page) => Promise<unknown>): Promise<SettingsPage> {
  const page = await stage.page('manager');
  await cut(page, 'guilds.follow');
  const settings = await open(stage);
  await fail(page);
  await page.getByRole('alert').waitFor();
  return settings;
}

/** The settings of a guild. */
export const SETTINGS_STATES: readonly DashboardState[] = [
  {
    name: 'settings, loading',
    async reach(stage) {
      await hold(await stage.page('manager'), 'guilds.get');
      const page = await stage.open('manager', PATH);
      await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
      return page;
    },
  },
  { name: 'settings', reach: async (stage) => (await openLive(stage, { enabledFeatures: ['polls'] })).page },
  {
    name: 'settings, unsaved changes',
    async reach(stage) {
      const settings = await openLive(stage, { enabledFeatures: ['polls'] });
      await settings.prefix.fill('?'.repeat(20));
      await settings.language.selectOption('ja');
      await settings.beta.click();
      await settings.feature('Reminders').click();
      await settings.shows('4 unsaved changes');
      return settings.page;
    },
  },
  {
    name: 'settings, invalid',
    async reach(stage) {
      const settings = await openLive(stage);
      await settings.prefix.fill('x'.repeat(21));
      await settings.save.click();
      await settings.shows('Some settings cannot be saved like this.');
      return settings.page;
    },
  },
  {
    name: 'settings, saving',
    async reach(stage) {
      const settings = await openLive(stage);
      await hold(settings.page, 'guilds.update');
      await settings.prefix.fill('?');
      await settings.save.click();
      await settings.shows('Saving…');
      return settings.page;
    },
  },
  {
    name: 'settings, saved and waiting for the bot',
    async reach(stage) {
      const settings = await openLive(stage);
      // The service has made the change, and its response has not arrived.
      await settings.page.route('**/trpc/guilds.update*', async (route) => {
        await route.fetch();
        keepWaiting(settings.page, route);
      });
      await settings.prefix.fill('?');
      await settings.save.click();
      await settings.shows('Saved. Waiting until the bot has it…');
      return settings.page;
    },
  },
  ...Object.entries(ARRIVALS).map(
    ([name, arrival]): DashboardState => ({
      name: `settings, saved, ${name}`,
      reach: async (stage) => (await saveWith(stage, arrival)).page,
    }),
  ),
  {
    name: 'settings, undone',
    async reach(stage) {
      const { page } = await saveWith(stage, ARRIVALS.away);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone.').first().waitFor();
      return page;
    },
  },
  {
    name: 'settings, undo refused because of a later change',
    async reach(stage) {
      const { page } = await saveWith(stage, ARRIVALS.away);
      await stage.change(FIRST, { prefix: '#' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('It cannot be undone by itself any more').first().waitFor();
      return page;
    },
  },
  {
    name: 'settings, undo limited',
    async reach(stage) {
      const { page } = await saveWith(stage, ARRIVALS.away);
      await refuse(page, 'guilds.undo', { slug: 'rate-limited', status: 429, fields: { retryAfter: 600 } });
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Nothing was undone').first().waitFor();
      return page;
    },
  },
  {
    name: 'settings, undo refused because the log is full',
    isThorough: true,
    async reach(stage) {
      const { page } = await saveWith(stage, ARRIVALS.away);
      await refuse(page, 'guilds.undo', { slug: 'change-log-full', status: 409 });
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Tomorrow it can be undone in the history.').first().waitFor();
      return page;
    },
  },
  {
    name: 'settings, undoing',
    isThorough: true,
    async reach(stage) {
      const { page } = await saveWith(stage, ARRIVALS.away);
      await hold(page, 'guilds.undo');
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('button', { name: 'Undoing…' }).waitFor();
      return page;
    },
  },
  ...FAILURES.map(
    ([name, refusal]): DashboardState => ({
      name: `settings, not saved, ${name}`,
      async reach(stage) {
        const settings = await openDeaf(stage);
        await refuse(settings.page, 'guilds.update', refusal);
        await settings.prefix.fill('?');
        await settings.save.click();
        await settings.bar.getByRole('alert').waitFor();
        return settings.page;
      },
    }),
  ),
  {
    name: 'settings, conflict',
    async reach(stage) {
      const settings = await openLive(stage);
      await settings.prefix.fill('$');
      await stage.change(FIRST, { prefix: '?' });
      await settings.page.locator('[data-conflict]').waitFor();
      await settings.save.click();
      await settings.shows('Decide at the marked settings');
      return settings.page;
    },
  },
  {
    name: 'settings, changed by a colleague',
    async reach(stage) {
      const settings = await openLive(stage);
      await stage.change(FIRST, { language: 'hi', beta: true });
      await settings.page.getByText('changed this at').nth(1).waitFor();
      return settings.page;
    },
  },
  {
    name: 'settings, choosing a channel',
    // While the list is open, React Aria hides the rest of the page from screen readers.
    parts: ['[role=listbox]', '[data-field=announcement_channel]'],
    async reach(stage) {
      const settings = await openLive(stage, { announcement_channel: '999999999999999999' });
      await settings.openChannels();
      return settings.page;
    },
    leave: async (stage) => (await stage.page('manager')).keyboard.press('Escape'),
  },
  {
    name: 'settings, no channel is called what was typed',
    isThorough: true,
    parts: ['[role=listbox]', '[data-field=announcement_channel]'],
    async reach(stage) {
      const settings = await openLive(stage);
      await settings.openChannels();
      await settings.channel.fill('ничего');
      await settings.shows('No channel is called that.');
      return settings.page;
    },
    leave: async (stage) => (await stage.page('manager')).keyboard.press('Escape'),
  },
  {
    name: 'settings, a channel in which the bot lacks every permission',
    isThorough: true,
    async reach(stage) {
      await respond(await stage.page('manager'), 'guilds.channels', [HIDDEN_CHANNEL]);
      const settings = await openLive(stage, { announcement_channel: HIDDEN_CHANNEL.id });
      await settings.shows('“Connect”');
      return settings.page;
    },
  },
  {
    name: 'settings, a channel in which the bot cannot write',
    async reach(stage) {
      const settings = await openLive(stage, { announcement_channel: FIRST.channels.rules });
      await settings.shows('The bot cannot write here');
      return settings.page;
    },
  },
  {
    name: 'settings, channels cannot be listed',
    async reach(stage) {
      await refuse(await stage.page('manager'), 'guilds.channels', { slug: 'bot-token-missing', status: 501 });
      const settings = await open(stage);
      await settings.page.getByLabel('Id of the channel').waitFor();
      return settings.page;
    },
  },
  {
    name: 'settings, features cannot be listed',
    async reach(stage) {
      await refuse(await stage.page('manager'), 'features.list', { slug: 'internal', status: 500 });
      const settings = await open(stage, { enabledFeatures: ['polls'] });
      await settings.shows('The descriptions of the features cannot be loaded');
      return settings.page;
    },
  },
  {
    name: 'settings, a feature that needs beta features is switched off',
    isThorough: true,
    async reach(stage) {
      await respond(await stage.page('manager'), 'features.list', CATALOGUE);
      const settings = await openLive(stage, { enabledFeatures: ['polls'] });
      await settings.shows('Works when beta features are switched on.');
      await settings.feature('Polls').click();
      await settings.shows('Features: off: Polls');
      return settings.page;
    },
  },
  {
    name: 'settings, the bot has no features',
    isThorough: true,
    async reach(stage) {
      await respond(await stage.page('manager'), 'features.list', []);
      const settings = await openLive(stage);
      await settings.shows('The bot has no features to switch.');
      return settings.page;
    },
  },
  {
    name: 'settings, question before a logout',
    isThorough: true,
    async reach(stage) {
      const settings = await openLive(stage);
      await settings.prefix.fill('?');
      await settings.shows('1 unsaved change');
      await settings.page.getByRole('button', { name: 'Your account' }).click();
      await settings.page.getByRole('button', { name: 'Log out' }).click();
      await settings.page.getByRole('alertdialog').waitFor();
      return settings.page;
    },
  },
  {
    name: 'settings, erased',
    async reach(stage) {
      const settings = await openLive(stage);
      await settings.prefix.fill('?');
      await stage.erase(FIRST);
      await settings.shows('The settings of this server were erased');
      return settings.page;
    },
  },
  {
    name: 'settings, permission taken away',
    async reach(stage) {
      const settings = await openLive(stage);
      stage.world.discord.world.setPermissions(FIRST.id, PEOPLE.manager.id, SEND_MESSAGES);
      await settings.shows('You may not manage this server any more');
      return settings.page;
    },
    async leave(stage) {
      stage.world.discord.world.setPermissions(FIRST.id, PEOPLE.manager.id, SEND_MESSAGES | MANAGE_GUILD);
      // A refusal holds for some seconds at the service.
      await waitUntil(() => stage.mayOpen('manager', FIRST));
    },
  },
  {
    name: 'settings, service gone',
    async reach(stage) {
      const settings = await loseWith(stage, (page) => cut(page, 'guilds.get'));
      await settings.prefix.fill('?');
      return settings.page;
    },
  },
  {
    name: 'settings, offline',
    reach: async (stage) => (await loseWith(stage, goOffline)).page,
    leave: async (stage) => (await stage.page('manager')).context().setOffline(false),
  },
  {
    name: 'settings of a guild of others',
    async reach(stage) {
      const page = await stage.open('manager', `/guilds/${FOREIGN.id}`);
      await page.getByRole('heading', { name: 'You may not manage this server' }).waitFor();
      return page;
    },
  },
  {
    name: 'settings, question before leaving',
    async reach(stage) {
      const settings = await openLive(stage);
      await settings.prefix.fill('?');
      await settings.page.getByRole('link', { name: 'History' }).click();
      await settings.page.getByRole('alertdialog').waitFor();
      return settings.page;
    },
  },
];
