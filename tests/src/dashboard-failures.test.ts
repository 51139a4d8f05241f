import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { GUILDS, PEOPLE } from '@guild-settings/sandbox/world';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DashboardWorld, startDashboardWorld } from './testing/dashboard-world.ts';
import { callApi, expectAccessible, SettingsPage } from './testing/settings-page.ts';

const [TESTERS] = GUILDS;
const PATH = `/guilds/${TESTERS.id}`;
const DEFAULTS = { prefix: '!', language: 'en-US', announcement_channel: '', beta: false, enabledFeatures: [] };
const SEND_MESSAGES = 1n << 11n;
const MANAGE_GUILD = 1n << 5n;

describe.skipIf(!HAS_BROWSER)('the settings page, when something fails', () => {
  let world: DashboardWorld;
  const pages: SettingsPage[] = [];
  beforeAll(async () => {
    world = await startDashboardWorld();
  });
  beforeEach(async () => void (await callApi(world.apiUrl, 'owner', { method: 'PATCH', path: PATH, body: DEFAULTS })));
  afterEach(async () => {
    for (const { page } of pages.splice(0)) await page.context().close();
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  const record = async () => (await callApi(world.apiUrl, 'owner', { path: PATH })).json();
  const open = async () => {
    const settings = new SettingsPage(
      await world.open(PEOPLE.manager, PATH, { viewport: { width: 360, height: 640 } }),
    );
    pages.push(settings);
    await settings.live();
    return settings;
  };

  test('the api is killed with a draft open: the page says so, writes nothing, and goes on when it is back', async () => {
    const settings = await open();
    await settings.prefix.fill('?');
    await world.killApi();
    await settings.shows('The service does not respond');
    expect(await settings.save.isDisabled()).toBe(true);
    await settings.prefix.fill('??');
    await expectAccessible(settings.page);
    await world.startApi();
    await settings.live();
    await settings.page.getByText('The service does not respond').waitFor({ state: 'detached' });
    expect(await settings.prefix.inputValue()).toBe('??');
    await settings.save.click();
    await settings.shows(/^Saved\./);
    expect(await record()).toMatchObject({ prefix: '??' });
  });

  test('the bot is killed: a change is saved, and said to be taken over when the bot is back', async () => {
    const settings = await open();
    await world.killBot();
    await settings.prefix.fill('?');
    await settings.save.click();
    await settings.shows('Saved. Waiting until the bot has it…');
    await settings.shows('The bot is not running. It takes it over when it is back.');
    await expectAccessible(settings.page);
    await world.startBot();
    await settings.shows(/Live on this server/);
    expect(await record()).toMatchObject({ prefix: '?' });
  });

  test('the settings are erased meanwhile: the page says so, and keeps what is typed', async () => {
    const settings = await open();
    await callApi(world.apiUrl, 'owner', { method: 'PATCH', path: PATH, body: { language: 'hi' } });
    await settings.prefix.fill('?');
    await callApi(world.apiUrl, 'owner', { method: 'DELETE', path: PATH, headers: { 'if-match': '*' } });
    await settings.shows('The settings of this server were erased');
    expect([await settings.language.inputValue(), await settings.prefix.inputValue()]).toEqual(['en-US', '?']);
    await expectAccessible(settings.page);
    await settings.saved();
    expect(await record()).toMatchObject({ prefix: '?', language: 'en-US' });
  });

  test('the permission is taken away while the page is open: nothing is written, and the draft stays until it is back', async () => {
    const settings = await open();
    await settings.prefix.fill('?');
    world.discord.world.setPermissions(TESTERS.id, PEOPLE.manager.id, SEND_MESSAGES);
    await settings.shows('You may not manage this server any more');
    expect(await settings.save.isDisabled()).toBe(true);
    await expectAccessible(settings.page);
    world.discord.world.setPermissions(TESTERS.id, PEOPLE.manager.id, SEND_MESSAGES | MANAGE_GUILD);
    await settings.live();
    await settings.saved();
    expect(await record()).toMatchObject({ prefix: '?' });
  });

  test('the bot is kicked: the invitation takes the place of the settings, which come back with the draft', async () => {
    const settings = await open();
    await settings.prefix.fill('?');
    world.discord.world.removeBotFromGuild(TESTERS.id);
    await settings.page.getByRole('heading', { name: 'The bot is not on this server' }).waitFor();
    await expectAccessible(settings.page);
    world.discord.world.addBotToGuild(TESTERS.id);
    await settings.live();
    expect(await settings.prefix.inputValue()).toBe('?');
  });

  test('the keyboard alone is enough, and the bar never covers what has the focus', async () => {
    const settings = await open();
    const { keyboard } = settings.page;
    await settings.page.locator('body').press('Tab');
    const reach = async (name: string) => {
      for (let steps = 0; steps < 60; steps += 1) {
        const { label, isCovered } = await settings.page.evaluate(focused);
        expect({ label, isCovered }).toEqual({ label, isCovered: false });
        if (label.includes(name)) return;
        await keyboard.press('Tab');
      }
      throw new Error(`Expected to reach "${name}" with the Tab key`);
    };
    await reach('Prefix');
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type('?');
    await reach('Beta features');
    await keyboard.press('Space');
    await reach('Reminders');
    await keyboard.press('Space');
    await reach('Save');
    await keyboard.press('Enter');
    await settings.shows(/Live on this server/);
    expect(await record()).toMatchObject({ prefix: '?', beta: true, enabledFeatures: ['reminders'] });
    await reach('Undo');
    await keyboard.press('Enter');
    await settings.shows('Undone.');
    expect(await record()).toMatchObject(DEFAULTS);
  });
});

/** Returns what the focused element is called, and whether something else is over its middle. Runs in the browser. */
function focused(): { readonly label: string; readonly isCovered: boolean } {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return { label: '', isCovered: false };
  const labels = element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? element.labels : null;
  const label = `${element.getAttribute('aria-label') ?? ''} ${labels?.[0]?.textContent ?? ''} ${element.textContent}`;
  const { left, top, width, height } = element.getBoundingClientRect();
  const over = document.elementFromPoint(left + width / 2, top + height / 2);
  return { label, isCovered: over !== null && !element.contains(over) && !over.contains(element) };
}
