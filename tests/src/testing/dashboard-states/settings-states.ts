import { MANAGE_GUILD, PEOPLE, SEND_MESSAGES } from '@guild-settings/discord-sim/testing/world';
import { waitUntil } from '@guild-settings/testing';
import type { Page } from 'playwright-core';
import type { SettingsPage } from '../settings-page.ts';
import { open, openLive, PATH } from './open-settings.ts';
import { cut, FIRST, goOffline, hold, refuse, respond, type Stage, type States } from './stage.ts';

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
  missing: ['VIEW_CHANNEL', 'SEND_MESSAGES', 'SEND_MESSAGES_IN_THREADS', 'CONNECT'],
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
export const SETTINGS_STATES: States = {
  'settings, loading': async (stage) => {
    await hold(await stage.page('manager'), 'guilds.get');
    const page = await stage.open('manager', PATH);
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  },
  settings: async (stage) => (await openLive(stage, { enabledFeatures: ['polls'] })).page,
  'settings, unsaved changes': async (stage) => {
    const settings = await openLive(stage, { enabledFeatures: ['polls'] });
    await settings.prefix.fill('?'.repeat(20));
    await settings.language.selectOption('ja');
    await settings.beta.click();
    await settings.feature('Reminders').click();
    await settings.shows('4 unsaved changes');
  },
  'settings, invalid': async (stage) => {
    const settings = await openLive(stage);
    await settings.prefix.fill('x'.repeat(21));
    await settings.save.click();
    await settings.shows('Fix the marked settings to save');
  },
  'settings, conflict': async (stage) => {
    const settings = await openLive(stage);
    await settings.prefix.fill('$');
    await stage.change(FIRST, { prefix: '?' });
    await settings.page.locator('[data-conflict]').waitFor();
    await settings.save.click();
    await settings.shows('Someone else changed this too');
  },
  'settings, conflict with somebody whose name is not known': async (stage) => {
    // The page reads the settings again and again, and they do not say who has changed them.
    await cut(await stage.page('manager'), 'guilds.follow', 'guilds.history', 'guilds.change');
    const settings = await open(stage);
    await settings.prefix.fill('$');
    await stage.change(FIRST, { prefix: '?' });
    await settings.shows('Someone set this to');
  },
  'settings, changed by a colleague': async (stage) => {
    const settings = await openLive(stage);
    await stage.change(FIRST, { language: 'hi', beta: true });
    await settings.page.getByText('changed this at').nth(1).waitFor();
  },
  'settings, changed by oneself in another place': async (stage) => {
    const settings = await openLive(stage);
    await stage.change(FIRST, { language: 'hi' }, 'manager');
    await settings.page.getByText('You, elsewhere, changed this at').waitFor();
  },
  'settings, features changed by a colleague': async (stage) => {
    const settings = await openLive(stage);
    await stage.change(FIRST, { enabledFeatures: ['polls'] });
    await settings.shows('The features were changed.');
  },
  'settings, choosing a channel': {
    // While the list is open, React Aria hides the rest of the page from screen readers.
    parts: ['[role=listbox]', '[data-field=announcement_channel]'],
    async reach(stage) {
      const settings = await openLive(stage, { announcement_channel: '999999999999999999' });
      await settings.openChannels();
    },
    leave: async (stage) => (await stage.page('manager')).keyboard.press('Escape'),
  },
  'settings, no channel is called what was typed': {
    parts: ['[role=listbox]', '[data-field=announcement_channel]'],
    async reach(stage) {
      const settings = await openLive(stage);
      await settings.openChannels();
      await settings.channel.fill('ничего');
      await settings.shows('No channel has that name.');
    },
    leave: async (stage) => (await stage.page('manager')).keyboard.press('Escape'),
  },
  'settings, the id of a channel that is not known was typed': {
    parts: ['[role=listbox]', '[data-field=announcement_channel]'],
    async reach(stage) {
      const settings = await openLive(stage);
      await settings.openChannels();
      await settings.channel.fill('999999999999999997');
      await settings.shows('Channel or thread 999999999999999997');
    },
    leave: async (stage) => (await stage.page('manager')).keyboard.press('Escape'),
  },
  'settings, a prefix with which Discord opens its own list': async (stage) => {
    const settings = await openLive(stage);
    await settings.prefix.fill('/');
    await settings.shows('Discord opens its own list of commands');
  },
  'settings, a channel in which the bot lacks every permission': async (stage) => {
    await respond(await stage.page('manager'), 'guilds.channels', [HIDDEN_CHANNEL]);
    const settings = await openLive(stage, { announcement_channel: HIDDEN_CHANNEL.id });
    await settings.shows('“Connect”');
  },
  'settings, a channel in which the bot cannot write': async (stage) => {
    const settings = await openLive(stage, { announcement_channel: FIRST.channels.rules });
    await settings.shows('The bot cannot write here');
  },
  'settings, channels cannot be listed': async (stage) => {
    await refuse(await stage.page('manager'), 'guilds.channels', { slug: 'bot-token-missing', status: 501 });
    const settings = await open(stage);
    await settings.page.getByLabel('Channel ID').waitFor();
  },
  'settings, features cannot be listed': async (stage) => {
    await refuse(await stage.page('manager'), 'features.list', { slug: 'internal', status: 500 });
    const settings = await open(stage, { enabledFeatures: ['polls'] });
    await settings.shows('The feature descriptions cannot be loaded');
  },
  'settings, a feature that needs beta features is switched off': async (stage) => {
    await respond(await stage.page('manager'), 'features.list', CATALOGUE);
    const settings = await openLive(stage, { enabledFeatures: ['polls'] });
    await settings.shows('Works when beta features are switched on.');
    await settings.feature('Polls').click();
    await settings.shows('Features: off: Polls');
  },
  'settings, the bot has no features': async (stage) => {
    await respond(await stage.page('manager'), 'features.list', []);
    const settings = await openLive(stage);
    await settings.shows('The bot has no features to switch.');
  },
  'settings, erased': async (stage) => {
    const settings = await openLive(stage);
    await settings.prefix.fill('?');
    await stage.erase(FIRST);
    await settings.shows('The settings of this server were erased');
  },
  'settings, permission taken away': {
    async reach(stage) {
      const settings = await openLive(stage);
      stage.world.discord.world.setPermissions(FIRST.id, PEOPLE.manager.id, SEND_MESSAGES);
      await settings.shows('You no longer have access to this server');
    },
    async leave(stage) {
      stage.world.discord.world.setPermissions(FIRST.id, PEOPLE.manager.id, SEND_MESSAGES | MANAGE_GUILD);
      // A refusal holds for some seconds at the service.
      await waitUntil(() => stage.mayOpen('manager', FIRST));
    },
  },
  'settings, service gone': async (stage) => {
    const settings = await loseWith(stage, (page) => cut(page, 'guilds.get'));
    await settings.prefix.fill('?');
  },
  'settings, offline': {
    reach: async (stage) => (await loseWith(stage, goOffline)).page,
    leave: async (stage) => (await stage.page('manager')).context().setOffline(false),
  },
  'settings, connected again': async (stage) => {
    const settings = await loseWith(stage, (page) => cut(page, 'guilds.get'));
    await settings.page.unrouteAll();
    await settings.shows('Connected again.');
  },
  'settings, question before leaving': async (stage) => {
    const settings = await openLive(stage);
    await settings.prefix.fill('?');
    await settings.page.getByRole('link', { name: 'Melody' }).click();
    await settings.page.getByRole('alertdialog').waitFor();
  },
};
