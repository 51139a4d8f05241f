import type { HistoryPage } from '@guild-settings/contract';
import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { GUILDS, PEOPLE } from '@guild-settings/sandbox/world';
import { waitUntil } from '@guild-settings/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectAccessible, violationsOf } from './testing/accessible.ts';
import { type DashboardWorld, startDashboardWorld } from './testing/dashboard-world.ts';
import { callApi, SettingsPage } from './testing/settings-page.ts';

const [TESTERS] = GUILDS;
const PATH = `/guilds/${TESTERS.id}`;
const DEFAULTS = { prefix: '!', language: 'en-US', announcement_channel: '', beta: false, enabledFeatures: [] };

describe.skipIf(!HAS_BROWSER)('the settings page', () => {
  let world: DashboardWorld;
  const pages: SettingsPage[] = [];
  beforeAll(async () => {
    world = await startDashboardWorld();
  });
  beforeEach(() => asOwner(DEFAULTS));
  afterEach(async () => {
    for (const { page } of pages.splice(0)) await page.context().close();
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  const asOwner = (body: object) => callApi(world.apiUrl, 'owner', { method: 'PATCH', path: PATH, body });
  const record = async () => (await callApi(world.apiUrl, 'owner', { path: PATH })).json();
  const open = async (person: { readonly id: string } = PEOPLE.manager, options = {}) => {
    const settings = new SettingsPage(await world.open(person, PATH, options));
    pages.push(settings);
    await settings.live();
    return settings;
  };

  test('from the link to a change that is live, and back by its undo', async () => {
    const settings = await open();
    await settings.prefix.fill('?');
    await settings.shows('Prefix: “!” → “?”');
    await expectAccessible(settings.page);
    await settings.saved();
    expect(await record()).toMatchObject({ prefix: '?' });
    await settings.page.getByRole('button', { name: 'Undo' }).click();
    await settings.shows('Undone.');
    await expectAccessible(settings.page);
    expect(await settings.prefix.inputValue()).toBe('!');
    expect(await record()).toMatchObject({ prefix: '!' });
  });

  test('all five settings are one change', async () => {
    const settings = await open();
    const [before] = await entries();
    await settings.prefix.fill('😀'.repeat(20));
    await settings.language.selectOption('ja');
    await settings.beta.click();
    await settings.feature('Reminders').click();
    await settings.openChannels();
    await settings.channel.fill('announ');
    await settings.page.getByRole('option', { name: '#announcements' }).click();
    await settings.shows('5 unsaved changes');
    await settings.saved();
    expect(await record()).toMatchObject({
      prefix: '😀'.repeat(20),
      language: 'ja',
      announcement_channel: TESTERS.channels.announcements,
      beta: true,
      enabledFeatures: ['reminders'],
    });
    const [newest, previous] = await entries();
    expect(Object.keys(newest?.changes ?? {})).toHaveLength(5);
    expect(previous?.revision).toBe(before?.revision);
  });

  test('the channel picker lists what the manager sees, and says before saving that the bot cannot write there', async () => {
    const settings = await open();
    await settings.openChannels();
    const options = settings.page.getByRole('option');
    expect(await options.allTextContents()).toEqual(expect.arrayContaining(['No announcements', '#announcements']));
    expect(await options.filter({ hasText: 'staff' }).count()).toBe(0);
    // While the list is open, React Aria hides the rest of the page from screen readers.
    expect(await violationsOf(settings.page, ['[role=listbox]', '[data-field=announcement_channel]'])).toEqual([]);
    await settings.page.getByRole('option', { name: '#rules' }).click();
    await settings.shows('The bot cannot write here: it lacks “Send Messages”');
    await expectAccessible(settings.page);
  });

  test('what the service would refuse is said at its field, and is not sent', async () => {
    const settings = await open();
    await settings.prefix.fill('x'.repeat(21));
    await settings.shows('At most 20 characters');
    await settings.save.click();
    await settings.shows('Some settings cannot be saved like this.');
    await settings.page.locator('[data-field=prefix] input:focus').waitFor();
    await expectAccessible(settings.page);
    expect(await record()).toMatchObject({ prefix: '!' });
  });

  test('what only the service refuses is said at its field, too', async () => {
    const settings = await open();
    // As a later version of the page, with another language, would have kept it.
    const kept = JSON.stringify({ mine: { language: 'tlh' }, base: { language: 'en-US' }, switched: [] });
    const key = `draft:${PEOPLE.manager.id}:${TESTERS.id}`;
    await settings.page.evaluate(`sessionStorage.setItem(${JSON.stringify(key)}, ${JSON.stringify(kept)})`);
    await settings.page.reload();
    await settings.live();
    await settings.save.click();
    await settings.page.locator('[data-field=language] [aria-invalid=true]').waitFor();
    expect(await record()).toMatchObject({ language: 'en-US' });
  });

  test('two managers change different settings at once, and both changes hold', async () => {
    const [mine, theirs] = [await open(), await open(PEOPLE.owner)];
    await mine.prefix.fill('?');
    await mine.feature('Reminders').click();
    await theirs.language.selectOption('hi');
    await theirs.saved();
    await mine.shows(`${PEOPLE.owner.globalName} changed this at`);
    expect([await mine.language.inputValue(), await mine.prefix.inputValue()]).toEqual(['hi', '?']);
    await mine.saved();
    expect(await record()).toMatchObject({ prefix: '?', language: 'hi', enabledFeatures: ['reminders'] });
    await waitUntil(async () => (await theirs.prefix.inputValue()) === '?', { message: 'the change of the colleague' });
  });

  test('two managers change the same setting: both values, who and when are shown, and one is chosen', async () => {
    const [mine, theirs] = [await open(), await open(PEOPLE.owner)];
    await mine.prefix.fill('$');
    await theirs.prefix.fill('?');
    await theirs.saved();
    await mine.shows(new RegExp(`${PEOPLE.owner.globalName} set this to “\\?” at .+, while you set “\\$”\\.`));
    expect(await mine.prefix.inputValue()).toBe('$');
    await mine.save.click();
    await mine.shows('Decide at the marked settings');
    await expectAccessible(mine.page);
    expect(await record()).toMatchObject({ prefix: '?' });
    await mine.page.getByRole('button', { name: 'Keep “$”' }).click();
    await mine.saved();
    expect(await record()).toMatchObject({ prefix: '$' });
  });

  test('a change that no event has announced is merged when saving, and a conflict is shown with who and when', async () => {
    const settings = await open();
    await settings.page.route('**/trpc/guilds.follow*', () => {});
    await settings.page.reload();
    await settings.prefix.fill('$');
    await asOwner({ language: 'hi' });
    await settings.saved();
    expect(await record()).toMatchObject({ prefix: '$', language: 'hi' });
    await settings.prefix.fill('%');
    await asOwner({ prefix: '?' });
    await settings.save.click();
    await settings.shows(new RegExp(`${PEOPLE.owner.globalName} set this to “\\?” at .+, while you set “%”\\.`));
    await settings.page.getByRole('button', { name: 'Take “?”' }).click();
    expect(await settings.prefix.inputValue()).toBe('?');
    expect(await settings.bar.getByRole('button', { name: 'Save' }).count()).toBe(0);
  });

  test('a draft survives a reload, and leaving asks', async () => {
    const settings = await open(PEOPLE.manager, { viewport: { width: 360, height: 640 } });
    await settings.prefix.fill('?');
    settings.page.once('dialog', (dialog) => void dialog.accept());
    await settings.page.reload();
    await settings.live();
    expect(await settings.prefix.inputValue()).toBe('?');
    await settings.page.getByRole('link', { name: 'History' }).click();
    const question = settings.page.getByRole('alertdialog', { name: 'Leave with unsaved changes?' });
    await question.waitFor();
    await expectAccessible(settings.page);
    await question.getByRole('button', { name: 'Stay' }).click();
    expect(new URL(settings.page.url()).pathname).toBe(PATH);
    await settings.page.getByRole('link', { name: 'History' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await settings.page.getByRole('heading', { name: 'History', level: 1 }).waitFor();
    await settings.page.getByRole('link', { name: 'Settings', exact: true }).click();
    await settings.shows('Prefix: “!” → “?”');
    await settings.page.getByRole('button', { name: 'Discard' }).click();
    expect(await settings.prefix.inputValue()).toBe('!');
  });

  const entries = async () => {
    const response = await callApi(world.apiUrl, 'owner', { path: `${PATH}/history?kind=settings` });
    return ((await response.json()) as HistoryPage).entries;
  };
});
