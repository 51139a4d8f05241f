import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { waitUntil } from '@guild-settings/testing';
import { describe, expect } from 'vitest';
import { loseResponse } from './testing/dashboard-pages.ts';
import { type DashboardWorld, test } from './testing/dashboard-world.ts';
import { violationsOf } from './testing/looks.ts';
import { SettingsPage, SMALL } from './testing/settings-page.ts';
import { cut, refuse } from './testing/stage.ts';

describe.skipIf(!HAS_BROWSER).concurrent('the settings page', () => {
  let world: DashboardWorld;
  test.beforeAll(({ world: shared }) => {
    world = shared;
  });

  test('everything that the page reads is requested once, as its document has named it', async () => {
    const guild = await world.addGuild('Read once');
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    const requested: string[] = [];
    settings.page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/trpc/') || pathname === '/session') requested.push(pathname);
    });
    await settings.page.reload();
    await settings.live();
    expect(requested.toSorted()).toEqual([
      '/session',
      ...['features.list', 'guilds.channels', 'guilds.follow', 'guilds.get'].map((name) => `/trpc/${name}`),
      ...['settings.get', 'users.guild', 'users.guilds'].map((name) => `/trpc/${name}`),
    ]);
  });

  test('the channel picker lists what the manager sees, and says before saving that the bot cannot write there', async () => {
    const guild = await world.addGuild('Channels');
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    await settings.openChannels();
    const options = settings.page.getByRole('option');
    expect(await options.allTextContents()).toEqual(expect.arrayContaining(['No announcements', '#announcements']));
    expect(await options.filter({ hasText: 'staff' }).count()).toBe(0);
    // While the list is open, React Aria hides the rest of the page from screen readers.
    expect(await violationsOf(settings.page, ['[role=listbox]', '[data-field=announcement_channel]'])).toEqual([]);
    await settings.page.getByRole('option', { name: '#rules' }).click();
    await settings.shows('The bot cannot write here: it lacks “Send Messages”');
  });

  test('a thread is chosen by its link and named with its channel, here and in the history', async () => {
    const guild = await world.addGuild('Threads');
    const { announcements, rules, staff } = guild.channels;
    const release = guild.addThread(announcements, 'release 2');
    await guild.change(guild.owner, { announcement_channel: guild.addThread(rules, 'calm') });
    await guild.change(guild.owner, { announcement_channel: guild.addThread(staff, 'secret') });
    await guild.change(guild.owner, { announcement_channel: guild.addThread(announcements, 'old') });
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    const { page, channel } = settings;
    const named = (text: string) => waitUntil(async () => (await channel.inputValue()) === text, { message: text });
    await named('#announcements › old');
    await settings.openChannels();
    expect(await page.getByRole('option').allTextContents()).not.toContain('release 2');
    await channel.fill(`https://discord.com/channels/${guild.id}/${release}`);
    await page.getByRole('option', { name: '#announcements › release 2' }).waitFor();
    await channel.press('Enter');
    await named('#announcements › release 2');
    await settings.shows('#announcements › old → #announcements › release 2');
    await settings.saved();
    expect(await guild.record()).toMatchObject({ announcement_channel: release });
    await guild.change(guild.owner, { announcement_channel: rules });
    await settings.shows('changed this at');
    await settings.openChannels();
    await channel.fill(rules);
    await page.getByRole('option', { name: '#rules' }).waitFor();
    await channel.press('Escape');
    await page.getByRole('link', { name: 'History' }).click();
    const moved = (from: string, to: string) => page.getByText(`moved announcements from ${from} to ${to}`).waitFor();
    await moved('#announcements › release 2', '#rules');
    await moved('#announcements › old', '#announcements › release 2');
    // The channel of the thread is not visible to the manager.
    await page.getByText(/moved announcements from #rules › calm to \d/).waitFor();
  });

  test('the text of another program in place of a channel is kept, whatever it is', async () => {
    const guild = await world.addGuild('No channel');
    await guild.change(guild.owner, { announcement_channel: 'none' });
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    await settings.openChannels();
    const chosen = settings.page.getByRole('option', { selected: true });
    expect(await chosen.allTextContents()).toEqual([expect.stringContaining('none')]);
    await settings.page.getByRole('option', { name: 'No announcements' }).click();
    await settings.saved();
    expect(await guild.record()).toMatchObject({ announcement_channel: '' });
  });

  test('what only the service refuses is said at its field, too', async () => {
    const guild = await world.addGuild('Klingon');
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    // As stored by a later version of the page with another language.
    const kept = JSON.stringify([['language', { mine: 'tlh', base: 'en-US' }]]);
    const key = `draft:${guild.manager.id}:${guild.id}`;
    await settings.page.evaluate(`sessionStorage.setItem(${JSON.stringify(key)}, ${JSON.stringify(kept)})`);
    await settings.page.reload();
    await settings.live();
    await settings.save.click();
    await settings.page.locator('[data-field=language] [aria-invalid=true]').waitFor();
    expect(await guild.record()).toMatchObject({ language: 'en-US' });
  });

  test.each([
    ['has no room', `Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };`],
    [
      'is refused',
      `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('', 'SecurityError'); } });`,
    ],
    ['is absent', `Object.defineProperty(window, 'sessionStorage', { get: () => null });`],
  ])(
    'where the storage of the tab %s, the page asks before a reload or a logout takes what was typed, and saves it',
    async (_, script) => {
      const guild = await world.addGuild('No storage');
      await using page = await world.open(guild.manager, '/');
      await page.addInitScript(script);
      await page.goto(`${world.url}${guild.path}`);
      const settings = new SettingsPage(page);
      await settings.live();
      await settings.prefix.fill('?');
      await settings.shows('1 unsaved change');
      const asked = page.waitForEvent('dialog');
      const reloaded = page.reload();
      await (await asked).accept();
      await reloaded;
      await settings.live();
      await settings.prefix.fill('$');
      await settings.saved();
      expect(await guild.record()).toMatchObject({ prefix: '$' });
      await settings.prefix.fill('%');
      await settings.shows('1 unsaved change');
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('button', { name: 'Log out' }).click();
      // The page does not ask again when it is left.
      await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click();
      await page.getByRole('link', { name: 'Continue with Discord' }).waitFor();
    },
  );

  test('the undo is offered for ten seconds, and for longer while the pointer or the focus is on it', async () => {
    const guild = await world.addGuild('Ten seconds');
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    const { page } = settings;
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    await page.clock.install();
    await page.reload();
    await settings.live();
    // The clock only advances with `fastForward`, however slow the machine is.
    await page.clock.pauseAt(Date.now() + 60_000);
    await settings.prefix.fill('?');
    await settings.saved();
    await page.mouse.move(0, 0);
    await settings.prefix.focus();
    await page.clock.fastForward(9_000);
    expect(await undo.count()).toBe(1);
    await page.clock.fastForward(2_000);
    await undo.waitFor({ state: 'detached' });
    await settings.prefix.fill('$');
    await settings.saved();
    await settings.bar.hover();
    await page.clock.fastForward(11_000);
    await page.mouse.move(0, 0);
    await undo.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await page.clock.fastForward(11_000);
    await page.keyboard.press('Enter');
    await settings.shows(/^Undone\./);
    expect(await guild.record()).toMatchObject({ prefix: '?' });
    await page.clock.resume();
  });

  test('a refused undo can be pressed again after the time that is shown, and one whose answer is lost is looked up', async () => {
    const guild = await world.addGuild('Undo again');
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    const { page } = settings;
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    await page.clock.install();
    await page.reload();
    await settings.live();
    await settings.prefix.fill('?');
    await settings.saved();
    await settings.bar.hover();
    await refuse(page, 'guilds.undo', { slug: 'rate-limited', status: 429, fields: { retryAfter: 60 } });
    await undo.click();
    await settings.shows('Too many requests. Nothing was undone.');
    await page.getByRole('button', { name: /^Try again in \d+ seconds?$/, disabled: true }).waitFor();
    await page.clock.fastForward(61_000);
    await undo.waitFor();
    await refuse(page, 'guilds.undo', { slug: 'store-unavailable', status: 503 });
    await undo.click();
    await settings.shows('The service does not respond. Nothing was undone.');
    expect(await guild.record()).toMatchObject({ prefix: '?' });
    await page.route('**/trpc/guilds.undo*', loseResponse);
    await cut(page, 'guilds.change');
    await undo.click();
    await settings.shows('The service did not confirm the change.');
    await page.unroute('**/trpc/guilds.change*');
    await undo.click();
    await settings.shows(/^Undone\./);
    expect(await settings.prefix.inputValue()).toBe('!');
    expect((await guild.entries()).map(({ undoes }) => undoes !== undefined)).toEqual([true, false]);
  });

  test('what is typed while an undo is under way is saved after it, and Save says so until then', async () => {
    const guild = await world.addGuild('Going back');
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    await settings.prefix.fill('?');
    await settings.saved();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await settings.page.route('**/trpc/guilds.undo*', async (route) => {
      await released;
      await route.continue();
    });
    await settings.page.getByRole('button', { name: 'Undo' }).click();
    await settings.language.selectOption('ja');
    await settings.prefix.fill('$');
    const pending = settings.bar.getByRole('button', { name: 'Undoing…' });
    expect(await pending.getAttribute('aria-disabled')).toBe('true');
    release();
    await settings.shows('Prefix: “!” → “$”');
    expect(await settings.page.locator('[data-conflict]').count()).toBe(0);
    await settings.saved();
    expect(await guild.record()).toMatchObject({ prefix: '$', language: 'ja' });
  });

  test('features whose names are too long for one change are refused with what helps', async () => {
    const guild = await world.addGuild('Long names');
    const [first = '', ...others] = Array.from({ length: 64 }, (_, index) =>
      String.fromCodePoint(0x1f600 + index).repeat(64),
    );
    await guild.change(guild.owner, { enabledFeatures: others });
    const path = `${guild.path}/features/${encodeURIComponent(first)}`;
    await guild.call(guild.owner, { method: 'PUT', path });
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    const feature = settings.feature(first);
    await feature.click();
    await settings.saved();
    await feature.click();
    await settings.save.click();
    await settings.shows('This is too much for one change. Switch on fewer features.');
    await settings.prefix.fill('?');
    await feature.click();
    await settings.saved();
    expect(await guild.record()).toMatchObject({ prefix: '?', enabledFeatures: others });
  });

  test('a refusal that names no setting is shown as well', async () => {
    const guild = await world.addGuild('Unexplained');
    await using settings = await SettingsPage.open(world, guild, guild.manager);
    await refuse(settings.page, 'guilds.update', { slug: 'invalid-request', status: 400 });
    await settings.prefix.fill('?');
    await settings.save.click();
    await settings.shows('Something went wrong. Nothing was saved.');
  });

  test('a draft survives a reload, marks its tab on the other pages of the server, and leaving the server asks', async () => {
    const guild = await world.addGuild('Leaving');
    await using settings = await SettingsPage.open(world, guild, guild.manager, SMALL);
    await settings.prefix.fill('?');
    settings.page.once('dialog', (dialog) => void dialog.accept());
    await settings.page.reload();
    await settings.live();
    expect(await settings.prefix.inputValue()).toBe('?');
    await settings.page.getByRole('link', { name: 'History' }).click();
    await settings.page.getByRole('heading', { name: 'History', level: 1 }).waitFor();
    await settings.page.getByRole('link', { name: 'Settings (unsaved changes)' }).click();
    await settings.shows('Prefix: “!” → “?”');
    const home = settings.page.getByRole('link', { name: 'Melody' });
    await home.click();
    const question = settings.page.getByRole('alertdialog', { name: 'Leave with unsaved changes?' });
    await question.waitFor();
    await question.getByRole('button', { name: 'Stay' }).click();
    expect(new URL(settings.page.url()).pathname).toBe(guild.path);
    await home.click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await settings.page.getByRole('heading', { name: 'Your servers', level: 1 }).waitFor();
    await settings.page.goBack();
    await settings.shows('Prefix: “!” → “?”');
    await settings.page.getByRole('button', { name: 'Discard' }).click();
    expect(await settings.prefix.inputValue()).toBe('!');
  });
});
