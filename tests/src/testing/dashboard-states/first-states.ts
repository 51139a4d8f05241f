import type { Page } from 'playwright-core';
import {
  cut,
  type DashboardState,
  FIRST,
  FOREIGN,
  goOffline,
  heading,
  hold,
  openMenu,
  refuse,
  THIRD,
} from './stage.ts';

const outcomes = ['failed', 'denied', 'expired', 'limited'] as const;

/** The login, and what is shown before it is known who opens the page. */
export const LOGIN_STATES: readonly DashboardState[] = [
  {
    name: 'login',
    async reach(stage) {
      const page = await stage.visit('/');
      await heading(page, 'The settings of your Discord servers');
      return page;
    },
  },
  ...outcomes.map(
    (outcome): DashboardState => ({
      name: `login, ${outcome} before`,
      async reach(stage) {
        const page = await stage.visit(`/?login=${outcome}`);
        await page.getByRole('alert').waitFor();
        return page;
      },
    }),
  ),
  {
    name: 'login from a link to a page',
    async reach(stage) {
      const page = await stage.visit(`/guilds/${FIRST.id}/history`);
      await page.getByText('Log in to open the page').waitFor();
      return page;
    },
  },
  {
    name: 'language and appearance',
    async reach(stage) {
      return openMenu(await stage.visit('/'), 'Language and appearance');
    },
  },
  {
    name: 'opening',
    async reach(stage) {
      await hold(await stage.page('visitor'), '/session');
      const page = await stage.visit('/');
      await page.getByText('Loading…').waitFor();
      return page;
    },
  },
  {
    name: 'opening, but the server does not respond',
    async reach(stage) {
      await cut(await stage.page('visitor'), '/session');
      const page = await stage.visit('/');
      await heading(page, 'The service does not respond');
      return page;
    },
  },
];

/** The list of guilds, the menus of the header, and addresses without a page. */
export const LIST_STATES: readonly DashboardState[] = [
  {
    name: 'list, loading',
    async reach(stage) {
      await hold(await stage.page('manager'), 'users.guilds');
      const page = await stage.open('manager', '/');
      await page.getByText('Loading…').waitFor();
      return page;
    },
  },
  {
    name: 'list',
    async reach(stage) {
      const page = await stage.open('manager', '/');
      await page.getByRole('article').first().waitFor();
      return page;
    },
  },
  {
    name: 'list of an owner',
    async reach(stage) {
      const page = await stage.open('owner', '/');
      await page.getByText('You own it').first().waitFor();
      return page;
    },
  },
  {
    name: 'list, too many requests',
    async reach(stage) {
      const limited = { slug: 'rate-limited', status: 429, fields: { retryAfter: 600 } };
      await refuse(await stage.page('manager'), 'users.guilds', limited);
      const page = await stage.open('manager', '/');
      await heading(page, 'That was a lot at once');
      return page;
    },
  },
  {
    name: 'list, service gone',
    async reach(stage) {
      await refuse(await stage.page('manager'), 'users.guilds', { slug: 'store-unavailable', status: 503 });
      const page = await stage.open('manager', '/');
      await heading(page, 'The service does not respond');
      return page;
    },
  },
  {
    name: 'list, offline',
    async reach(stage) {
      // No page before has loaded the list.
      await cut(await stage.page('manager'), 'users.guilds');
      const page = await stage.open('manager', '/sessions');
      await page.locator('main li').first().waitFor();
      await goOffline(page);
      await page.getByRole('link', { name: 'Guild settings' }).click();
      await heading(page, 'You are offline');
      return page;
    },
    leave: async (stage) => (await stage.page('manager')).context().setOffline(false),
  },
  {
    name: 'list, refreshing failed',
    async reach(stage) {
      const page = await stage.open('manager', '/');
      await page.getByRole('article').first().waitFor();
      await refuse(page, 'users.guilds', { slug: 'internal', status: 500 });
      await page.getByRole('button', { name: 'Ask Discord again' }).click();
      await heading(page, 'Something went wrong');
      return page;
    },
  },
  {
    name: 'list of many',
    async reach(stage) {
      const page = await stage.open('member', '/');
      await page.getByRole('searchbox').waitFor();
      return page;
    },
  },
  {
    name: 'list, searched',
    async reach(stage) {
      const page = await stage.open('member', '/');
      await page.getByRole('searchbox').fill('cafe');
      await page.getByText('1 server', { exact: true }).waitFor();
      return page;
    },
  },
  {
    name: 'list, nothing found',
    async reach(stage) {
      const page = await stage.open('member', '/');
      await page.getByRole('searchbox').fill('ничего');
      await page.getByText('No server is called').waitFor();
      return page;
    },
  },
  {
    name: 'list, empty',
    async reach(stage) {
      const page = await stage.open('stranger', '/');
      await heading(page, 'No servers to manage');
      return page;
    },
  },
  {
    name: 'account menu',
    async reach(stage) {
      return openMenu(await stage.open('manager', '/'), 'Your account');
    },
  },
  {
    name: 'guild switcher',
    async reach(stage) {
      const page = await stage.open('manager', `/guilds/${FIRST.id}`);
      await page.locator('[data-live=live]').waitFor();
      return openMenu(page, /^Switch server/);
    },
  },
  {
    name: 'no such page',
    async reach(stage) {
      const page = await stage.open('manager', '/nothing/here');
      await heading(page, 'There is nothing here');
      return page;
    },
  },
  {
    name: 'list with a guild without the bot',
    async reach(stage) {
      stage.world.discord.world.removeBotFromGuild(THIRD.id);
      const page = await stage.open('manager', '/');
      await reloadUntil(page, () => page.getByRole('link', { name: `Invite the bot to ${THIRD.name}` }).count());
      return page;
    },
  },
  {
    name: 'guild without the bot',
    async reach(stage) {
      stage.world.discord.world.removeBotFromGuild(THIRD.id);
      const page = await stage.open('manager', `/guilds/${THIRD.id}`);
      await heading(page, 'The bot is not on this server');
      return page;
    },
  },
  {
    name: 'guild that the bot has joined',
    async reach(stage) {
      const page = await stage.open('manager', `/guilds/${THIRD.id}`);
      await heading(page, 'The bot is not on this server');
      stage.world.discord.world.addBotToGuild(THIRD.id);
      await page.getByText('The bot has joined').waitFor({ state: 'attached' });
      return page;
    },
  },
  {
    name: 'guild of others',
    async reach(stage) {
      const page = await stage.open('manager', `/guilds/${FOREIGN.id}`);
      await heading(page, 'You may not manage this server');
      return page;
    },
  },
];

async function reloadUntil(page: Page, isReached: () => Promise<number>): Promise<void> {
  for (;;) {
    await page.getByRole('article').first().waitFor();
    if ((await isReached()) > 0) return;
    await page.reload();
  }
}
