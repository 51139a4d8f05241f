import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { waitUntil } from '@guild-settings/testing';
import { describe, expect } from 'vitest';
import { type DashboardWorld, test } from './testing/dashboard-world.ts';
import { SettingsPage } from './testing/settings-page.ts';

describe.skipIf(!HAS_BROWSER).concurrent('the settings page, while others change the same guild', () => {
  let world: DashboardWorld;
  test.beforeAll(({ world: shared }) => {
    world = shared;
  });

  test('a page has one stream of events, ends it when it is hidden for a while, and shows what has changed when it is seen again', async () => {
    const guild = await world.addGuild('Behind another tab');
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    const { page } = settings;
    await page.clock.install();
    const streams: string[] = [];
    const ended: string[] = [];
    const isStream = (url: string) => url.includes('/trpc/guilds.follow');
    page.on('request', (request) => isStream(request.url()) && streams.push(request.url()));
    page.on('requestfailed', (request) => isStream(request.url()) && ended.push(request.url()));
    await page.reload();
    await settings.live();
    expect([streams.length, ended.length]).toEqual([1, 1]);
    await settings.prefix.fill('?');
    await page.evaluate(become('hidden'));
    await page.clock.fastForward(11_000);
    await waitUntil(() => ended.length === 2, { message: 'the end of the stream' });
    await guild.change(guild.owner, { language: 'hi' });
    expect(await settings.language.inputValue()).toBe('en-US');
    expect(streams).toHaveLength(1);
    await page.evaluate(become('visible'));
    await settings.shows(`${guild.owner.name} changed this at`);
    expect([await settings.language.inputValue(), await settings.prefix.inputValue()]).toEqual(['hi', '?']);
    expect(streams).toHaveLength(2);
  });

  test('two tabs of one person have drafts of their own, and a change of the other tab is no change of a stranger', async () => {
    const guild = await world.addGuild('Two tabs');
    await using first = await SettingsPage.open(world, guild, guild.manager);
    const second = await first.anotherTab();
    await first.prefix.fill('$');
    await second.prefix.fill('?');
    await second.language.selectOption('ja');
    await second.saved();
    await first.shows(/You \(elsewhere\) set this to “\?” at .+, and you set it to “\$”\./);
    expect([await first.prefix.inputValue(), await first.language.inputValue()]).toEqual(['$', 'ja']);
    await first.page.getByRole('button', { name: 'Keep: “$”' }).click();
    await first.saved();
    await waitUntil(async () => (await second.prefix.inputValue()) === '$', { message: 'the change of the first tab' });
    expect(await guild.record()).toMatchObject({ prefix: '$', language: 'ja' });
  });
});

/** Returns a script for the browser that hides or shows the page, like another tab in front of it. */
const become = (state: 'hidden' | 'visible') => `
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
  document.dispatchEvent(new Event('visibilitychange'));
`;
