import { createGuildSettingsClient, watch } from '@guild-settings/client';
import type { WatchEvent, WatchedGuild } from '@guild-settings/contract';
import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { tokenOf } from '@guild-settings/discord-sim/testing/world';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DashboardWorld, startDashboardWorld } from './testing/dashboard-world.ts';
import { PERMISSIONS } from './testing/own-guild.ts';
import { SettingsPage, SMALL } from './testing/settings-page.ts';
import { refuse } from './testing/stage.ts';

describe.skipIf(!HAS_BROWSER)('the dashboard, when something fails', () => {
  let world: DashboardWorld;
  beforeAll(async () => {
    // Seconds for which the last check of a token is valid while Discord does not respond.
    world = await startDashboardWorld({ AUTH_STALE_GRACE: '1' });
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  const open = async (name: string) => {
    const guild = await world.addGuild(name);
    return { guild, settings: await SettingsPage.open(world, guild, guild.manager, SMALL) };
  };

  describe.concurrent('for one guild', () => {
    test('the settings are erased meanwhile: the page says so, and keeps what is typed', async () => {
      const { guild, settings } = await open('Erased');
      await using _ = settings;
      await guild.change(guild.owner, { language: 'hi' });
      await settings.prefix.fill('?');
      await guild.erase();
      await settings.shows('The settings of this server were erased');
      expect([await settings.language.inputValue(), await settings.prefix.inputValue()]).toEqual(['en-US', '?']);
      await settings.saved();
      expect(await guild.record()).toMatchObject({ prefix: '?', language: 'en-US' });
    });

    test('the permission is taken away while the page is open: nothing is written, and the draft stays until it is back', async () => {
      const { guild, settings } = await open('Demoted');
      await using _ = settings;
      await settings.prefix.fill('?');
      guild.setManagerPermissions(PERMISSIONS.member);
      await settings.shows('You no longer have access to this server');
      expect(await settings.save.isDisabled()).toBe(true);
      guild.setManagerPermissions(PERMISSIONS.manager);
      await settings.live();
      await settings.saved();
      expect(await guild.record()).toMatchObject({ prefix: '?' });
    });

    test('the bot is kicked: the invitation takes the place of the settings, which come back with the draft', async () => {
      const { guild, settings } = await open('Kicked');
      await using _ = settings;
      await settings.prefix.fill('?');
      world.discord.world.removeBotFromGuild(guild.id);
      await settings.page.getByRole('heading', { name: 'The bot is not on this server' }).waitFor();
      world.discord.world.addBotToGuild(guild.id);
      await settings.live();
      expect(await settings.prefix.inputValue()).toBe('?');
    });

    test('the sixth page of one person is not live until another one is closed, and takes changes all the same', async ({
      expect,
    }) => {
      const { settings } = await open('Many pages');
      await using first = settings;
      const others = [];
      for (let page = 2; page <= 5; page += 1) others.push(await first.anotherTab());
      await using sixth = new SettingsPage(await first.page.context().newPage());
      await sixth.page.goto(first.page.url());
      await sixth.shows('Reconnecting…');
      await sixth.prefix.fill('?');
      await sixth.save.click();
      await sixth.shows('Saved.');
      await expect.poll(() => first.prefix.inputValue()).toBe('?');
      await first.language.selectOption('ja');
      await first.saved();
      // The page reads the settings with each attempt to connect.
      await expect.poll(() => sixth.language.inputValue()).toBe('ja');
      await others[0]?.page.close();
      await sixth.live();
    });

    test('a newer service reports a presence that this version does not know: the settings stay', async ({
      expect,
    }) => {
      const { guild, settings } = await open('Suspended');
      await using _ = settings;
      const record = { ...(await guild.record()), prefix: '%' };
      const presence = { type: 'presence', revision: 1_000_000, at: new Date().toISOString(), presence: 'suspended' };
      const body = `data: ${JSON.stringify({ ...presence, guild: record })}\n\n`;
      await settings.page.route(
        '**/trpc/guilds.follow*',
        (route) => route.fulfill({ contentType: 'text/event-stream', body }),
        { times: 1 },
      );
      await settings.page.reload();
      await expect.poll(() => settings.prefix.inputValue()).toBe('%');
      expect(await settings.page.getByRole('heading', { name: 'The bot is not on this server' }).count()).toBe(0);
    });

    test('a language of a newer service is shown, and stays when something else is saved', async ({ expect }) => {
      const { guild, settings } = await open('Newer language');
      await using _ = settings;
      const { page } = settings;
      await page.route('**/trpc/guilds.follow*', () => {});
      await page.route('**/trpc/guilds.get*', async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replace('"language":"en-US"', '"language":"fr"');
        await route.fulfill({ response, body });
      });
      await page.reload();
      await expect.poll(() => settings.language.inputValue()).toBe('fr');
      await settings.prefix.fill('?');
      const saved = page.waitForRequest('**/trpc/guilds.update*');
      await settings.save.click();
      expect((await saved).postDataJSON()).toEqual({ guild: guild.id, prefix: '?' });
    });

    test('the device is offline with a draft open: the events end, the draft stays, and both go on when it is back', async () => {
      const { guild, settings } = await open('Tunnel');
      await using _ = settings;
      await settings.prefix.fill('?');
      await settings.page.context().setOffline(true);
      await settings.shows('You are offline');
      await settings.shows('Reconnecting…');
      expect(await settings.save.isDisabled()).toBe(true);
      await guild.change(guild.owner, { language: 'ja' });
      await settings.prefix.fill('??');
      await settings.page.context().setOffline(false);
      await settings.live();
      await settings.page.getByText('You are offline').waitFor({ state: 'detached' });
      expect([await settings.prefix.inputValue(), await settings.language.inputValue()]).toEqual(['??', 'ja']);
      expect(await guild.record()).toMatchObject({ prefix: '!' });
      await settings.saved();
      expect(await guild.record()).toMatchObject({ prefix: '??' });
    });

    test('what was preloaded while the service refused it is read again when the service goes on', async () => {
      const guild = await world.addGuild('Preloaded');
      await using page = await world.open(guild.manager, '/sessions');
      await page.getByText('This browser').waitFor();
      await page.route('**/session', (route) => route.abort());
      await refuse(page, 'users.guilds', { slug: 'rate-limited', status: 429, fields: { retryAfter: 600 } });
      const preloaded = page.waitForResponse('**/trpc/users.guilds*');
      await page.goto(world.url);
      expect((await preloaded).status()).toBe(429);
      await page.getByRole('heading', { name: 'The service does not respond' }).waitFor();
      await page.unrouteAll();
      await page.getByRole('link', { name: guild.name, exact: true }).waitFor();
    });
  });

  describe('for everybody', () => {
    test('the service is killed: every open page says so, a draft stays, nothing is written, and all go on when it is back', async () => {
      const { guild, settings } = await open('No service');
      await using _ = settings;
      const newTab = async (path: string, text: string) => {
        const page = await settings.page.context().newPage();
        await page.goto(`${world.url}${path}`);
        await page.getByText(text).first().waitFor();
        return page;
      };
      const [list, history] = [
        await newTab('/', guild.name),
        await newTab(`${guild.path}/history`, 'The bot was added'),
      ];
      await settings.prefix.fill('?');
      await world.killApi();
      await settings.shows('The service does not respond');
      expect(await settings.save.isDisabled()).toBe(true);
      await settings.prefix.fill('??');
      await list.getByRole('button', { name: 'Refresh servers' }).click();
      // A page that has not been loaded yet.
      await history.getByRole('link', { name: 'Export and import' }).click();
      for (const page of [list, history]) {
        await page.getByRole('heading', { name: 'The service does not respond' }).waitFor();
      }
      await world.startApi();
      await settings.live();
      await settings.page.getByText('The service does not respond').waitFor({ state: 'detached' });
      expect(await settings.prefix.inputValue()).toBe('??');
      await settings.save.click();
      await settings.shows(/^Saved\./);
      expect(await guild.record()).toMatchObject({ prefix: '??' });
      for (const page of [list, history]) await page.getByRole('button', { name: 'Try again' }).click();
      await list.getByRole('link', { name: guild.name, exact: true }).waitFor();
      await history.getByRole('button', { name: 'Download' }).waitFor();
    });

    test('the bot is killed: a change is saved, and said to be taken over when the bot is back', async () => {
      const { guild, settings } = await open('No bot');
      await using _ = settings;
      await world.killBot();
      await settings.prefix.fill('?');
      await settings.save.click();
      await settings.shows('Saved. Waiting for the bot…');
      await settings.shows('The bot is not running. It applies it when it is back.');
      await world.startBot();
      await settings.shows(/Live on this server/);
      expect(await guild.record()).toMatchObject({ prefix: '?' });
    });

    test('Discord does not respond for longer than the last check holds: nothing is written, and the page goes on with it', async () => {
      const { guild, settings } = await open('No Discord');
      await using _ = settings;
      await settings.prefix.fill('?');
      const tab = await settings.page.context().newPage();
      world.discord.faults.set({ kind: 'status', status: 503 });
      await settings.shows('The service does not respond');
      expect(await settings.save.isDisabled()).toBe(true);
      await tab.goto(settings.page.url());
      await tab.getByText('The service or Discord cannot be reached right now.').waitFor();
      world.discord.faults.clear();
      await tab.locator('[data-live=live]').waitFor();
      await settings.live();
      expect(await guild.record()).toMatchObject({ prefix: '!' });
      await settings.saved();
      expect(await guild.record()).toMatchObject({ prefix: '?' });
    });

    test('a bot that cannot use a change is named as the reason, and the change stays saved', async () => {
      const { guild, settings } = await open('Older bot');
      await using _ = settings;
      const rejects = ({ id, language }: { readonly id: string; readonly language: string }) =>
        id === guild.id && language === 'ja';
      await using _bot = startOlderBot({ url: world.url, token: tokenOf('application'), rejects });
      await settings.prefix.fill('?');
      await settings.saved();
      await settings.language.selectOption('ja');
      await settings.save.click();
      await settings.shows('The bot could not apply the change and keeps the previous settings.');
      expect(await guild.record()).toMatchObject({ prefix: '?', language: 'ja' });
      await settings.page.getByRole('button', { name: 'Undo' }).click();
      await settings.shows('Undone.');
      expect(await guild.record()).toMatchObject({ prefix: '?', language: 'en-US' });
    });
  });
});

interface OlderBotOptions {
  readonly url: string;
  readonly token: string;
  /** Returns true for a record that it cannot use, like a version that does not know one of its values. */
  readonly rejects: (guild: WatchedGuild['guild']) => boolean;
}

const IDENTITY = { watcher: { id: 'older-bot', name: 'older bot' }, shards: [{ id: 0, count: 1 }] };

/** Starts a second bot of all guilds, which acknowledges or rejects each change. It ends at the end of its scope. */
function startOlderBot({ url, token, rejects }: OlderBotOptions): AsyncDisposable {
  const client = createGuildSettingsClient({ url, token });
  const controller = new AbortController();
  const { signal } = controller;
  const follow = async () => {
    const watcher = () => ({ ...IDENTITY.watcher, shards: IDENTITY.shards });
    for await (const { cursor, event } of watch({ url, token, watcher, signal })) {
      const rejected = recordsOf(event)
        .filter(({ guild }) => rejects(guild))
        .map(({ guild, revision }) => ({
          guild: guild.id,
          revision,
          reason: 'a value that this version does not know',
        }));
      if (event.type !== 'reset') await client.guilds.acknowledge.mutate({ ...IDENTITY, cursor, rejected });
    }
  };
  const done = follow();
  return {
    async [Symbol.asyncDispose]() {
      controller.abort();
      await done;
    },
  };
}

function recordsOf(event: WatchEvent): readonly WatchedGuild[] {
  if (event.type === 'guilds') return event.guilds;
  return event.type === 'guild' ? [event] : [];
}
