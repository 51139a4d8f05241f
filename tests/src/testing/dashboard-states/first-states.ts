import type { Page } from 'playwright-core';
import { cut, each, FIRST, FOREIGN, goOffline, heading, hold, openMenu, refuse, type States, THIRD } from './stage.ts';

const outcomes = ['failed', 'denied', 'expired', 'limited'] as const;

/** The login, and what is shown before it is known who opens the page. */
export const LOGIN_STATES: States = {
  login: async (stage) => {
    const page = await stage.visit('/');
    await heading(page, 'Settings for your Discord servers');
  },
  ...each(outcomes, (outcome) => [
    `login, ${outcome} before`,
    async (stage) => {
      const page = await stage.visit(`/?login=${outcome}`);
      await page.getByRole('alert').waitFor();
    },
  ]),
  'login from a link to a page': async (stage) => {
    const page = await stage.visit(`/guilds/${FIRST.id}/history`);
    await page.getByText('Log in to open the page').waitFor();
  },
  'language and appearance': async (stage) => {
    return openMenu(await stage.visit('/'), 'Language and appearance');
  },
  opening: async (stage) => {
    await hold(await stage.page('visitor'), '/session');
    const page = await stage.visit('/');
    await page.getByText('Loading…').waitFor();
  },
  'opening, but the service does not respond': async (stage) => {
    await cut(await stage.page('visitor'), '/session');
    const page = await stage.visit('/');
    await heading(page, 'The service does not respond');
  },
};

/** The list of guilds, the menus of the header, and addresses without a page. */
export const LIST_STATES: States = {
  'list, loading': async (stage) => {
    await hold(await stage.page('manager'), 'users.guilds');
    const page = await stage.open('manager', '/');
    await page.getByText('Loading…').waitFor();
  },
  list: async (stage) => {
    const page = await stage.open('manager', '/');
    await page.getByRole('article').first().waitFor();
  },
  'list of an owner': async (stage) => {
    const page = await stage.open('owner', '/');
    await page.getByText('Owner').first().waitFor();
  },
  'list, too many requests': async (stage) => {
    const limited = { slug: 'rate-limited', status: 429, fields: { retryAfter: 600 } };
    await refuse(await stage.page('manager'), 'users.guilds', limited);
    const page = await stage.open('manager', '/');
    await heading(page, 'Too many requests');
  },
  'list, service gone': async (stage) => {
    await refuse(await stage.page('manager'), 'users.guilds', { slug: 'store-unavailable', status: 503 });
    const page = await stage.open('manager', '/');
    await heading(page, 'The service does not respond');
  },
  'list, offline': {
    async reach(stage) {
      // No page before has loaded the list.
      await cut(await stage.page('manager'), 'users.guilds');
      const page = await stage.open('manager', '/sessions');
      await page.locator('main li').first().waitFor();
      await goOffline(page);
      await page.getByRole('link', { name: 'Melody' }).click();
      await heading(page, 'You are offline');
    },
    leave: async (stage) => (await stage.page('manager')).context().setOffline(false),
  },
  'list, refreshing failed': async (stage) => {
    const page = await stage.open('manager', '/');
    await page.getByRole('article').first().waitFor();
    await refuse(page, 'users.guilds', { slug: 'internal', status: 500 });
    await page.getByRole('button', { name: 'Refresh servers' }).click();
    await heading(page, 'Something went wrong');
  },
  'list of many': async (stage) => {
    const page = await stage.open('member', '/');
    await page.getByRole('searchbox').waitFor();
  },
  'list, searched': async (stage) => {
    const page = await stage.open('member', '/');
    await page.getByRole('searchbox').fill('cafe');
    await page.getByText('1 server', { exact: true }).waitFor();
  },
  'list, nothing found': async (stage) => {
    const page = await stage.open('member', '/');
    await page.getByRole('searchbox').fill('ничего');
    await page.getByText('No server is called').waitFor();
  },
  'list, empty': async (stage) => {
    const page = await stage.open('stranger', '/');
    await heading(page, 'No servers to manage');
  },
  'account menu': async (stage) => {
    return openMenu(await stage.open('manager', '/'), 'Your account');
  },
  'guild switcher': async (stage) => {
    const page = await stage.open('manager', `/guilds/${FIRST.id}`);
    await page.locator('[data-live=live]').waitFor();
    return openMenu(page, /^Switch server/);
  },
  'no such page': async (stage) => {
    const page = await stage.open('manager', '/nothing/here');
    await heading(page, 'There is nothing here');
  },
  'list with a guild without the bot': async (stage) => {
    stage.world.discord.world.removeBotFromGuild(THIRD.id);
    const page = await stage.open('manager', '/');
    await reloadUntil(page, () => page.getByRole('link', { name: `Invite the bot to ${THIRD.name}` }).count());
  },
  'guild without the bot': async (stage) => {
    stage.world.discord.world.removeBotFromGuild(THIRD.id);
    const page = await stage.open('manager', `/guilds/${THIRD.id}`);
    await heading(page, 'The bot is not on this server');
  },
  'guild that the bot has joined': async (stage) => {
    const page = await stage.open('manager', `/guilds/${THIRD.id}`);
    await heading(page, 'The bot is not on this server');
    stage.world.discord.world.addBotToGuild(THIRD.id);
    await page.getByText('The bot has joined').waitFor({ state: 'attached' });
  },
  'guild of others': async (stage) => {
    const page = await stage.open('manager', `/guilds/${FOREIGN.id}`);
    await heading(page, 'You cannot manage this server');
  },
};

async function reloadUntil(page: Page, isReached: () => Promise<number>): Promise<void> {
  for (;;) {
    await page.getByRole('article').first().waitFor();
    if ((await isReached()) > 0) return;
    await page.reload();
  }
}
