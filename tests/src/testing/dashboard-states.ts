import { type Declaration, defineSettings } from '@guild-settings/contract/settings';
import { PEOPLE, type SandboxGuild } from '@guild-settings/discord-sim/testing/world';
import { waitUntil } from '@guild-settings/testing';
import type { Page } from 'playwright-core';
import { callApi } from './call-api.ts';
import { DESKTOP } from './looks.ts';
import {
  FIRST,
  FOREIGN,
  heading,
  hold,
  openDeaf,
  openLive,
  openSettings,
  type Reach,
  refuse,
  SECOND,
  type Stage,
} from './stage.ts';

const HISTORY = `/guilds/${FIRST.id}/history`;

/** Opens the history, and the question before an undo of a change of features. */
async function openHistory(stage: Stage): Promise<{ readonly page: Page; readonly features: number }> {
  await stage.change(FIRST, { prefix: '!', language: 'en-US', beta: false, enabledFeatures: [] });
  const features = await stage.change(FIRST, { enabledFeatures: ['reminders', 'polls'] }, 'manager');
  const newest = await stage.change(FIRST, { prefix: '#', announcement_channel: FIRST.channels.announcements });
  const page = await stage.open('manager', HISTORY);
  await page.locator(`[data-revision="${newest}"]`).waitFor();
  return { page, features };
}

async function askToUndo(page: Page, revision: number): Promise<void> {
  await page.setViewportSize(DESKTOP);
  await page
    .getByRole('button', { name: new RegExp(`^Undo .*#${revision}$`) })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('table').waitFor();
}

async function chooseFile(stage: Stage, exported: object): Promise<Page> {
  const page = await stage.open('owner', `/guilds/${FIRST.id}/transfer`);
  const buffer = Buffer.from(JSON.stringify({ version: 1, ...exported }));
  await page.locator('input[type=file]').setInputFiles({ name: 'settings.json', mimeType: 'application/json', buffer });
  return page;
}

/** States of the page by name: those in which no other browser test ends, and those in which tests begin. */
const STATES = {
  login: async (stage) => heading(await stage.visit('/'), 'Settings for your Discord servers'),
  'login from a link to a page': async (stage) => {
    const page = await stage.visit(HISTORY);
    await page.getByText('Log in to open the page').waitFor();
  },
  'list, loading': async (stage) => {
    await hold(await stage.page('manager'), 'users.guilds');
    const page = await stage.open('manager', '/');
    await page.getByText('Loading…').waitFor();
  },
  list: async (stage) => {
    const page = await stage.open('manager', '/');
    await page.getByRole('article').first().waitFor();
  },
  'list of many': async (stage) => {
    const page = await stage.open('member', '/');
    await page.getByRole('searchbox').waitFor();
  },
  'list, service gone': async (stage) => {
    await refuse(await stage.page('manager'), 'users.guilds', { slug: 'store-unavailable', status: 503 });
    await heading(await stage.open('manager', '/'), 'The service does not respond');
  },
  'guild of others': async (stage) => {
    await heading(await stage.open('manager', `/guilds/${FOREIGN.id}`), 'You cannot manage this server');
  },
  settings: (stage) => openLive(stage, { enabledFeatures: ['polls'] }),
  'settings, unsaved changes': async (stage) => {
    const settings = await openLive(stage, { enabledFeatures: ['polls'] });
    await settings.prefix.fill('?'.repeat(20));
    await settings.language.selectOption('ja');
    await settings.beta.click();
    await settings.feature('Reminders').click();
    await settings.shows('4 unsaved changes');
  },
  'settings, saved': async (stage) => {
    const settings = await openDeaf(stage);
    await settings.prefix.fill('?');
    await settings.save.click();
    await settings.page.getByRole('button', { name: 'Undo' }).waitFor();
  },
  'settings, invalid': async (stage) => {
    const settings = await openLive(stage);
    await settings.prefix.fill('x'.repeat(21));
    await settings.save.click();
    await settings.shows('Fix the marked settings to save');
  },
  'settings, features cannot be listed': async (stage) => {
    await refuse(await stage.page('manager'), 'features.list', { slug: 'internal', status: 500 });
    const settings = await openSettings(stage, { enabledFeatures: ['polls'] });
    await settings.shows('The feature descriptions cannot be loaded');
  },
  'settings, conflict': async (stage) => {
    const settings = await openLive(stage);
    await settings.prefix.fill('$');
    await stage.change(FIRST, { prefix: '?' });
    await settings.page.locator('[data-conflict]').waitFor();
    await settings.save.click();
    await settings.shows('Someone else changed this too');
  },
  'history, a new change': async (stage) => {
    const { page } = await openHistory(stage);
    await page.getByText('Updates in real time').waitFor();
    await stage.change(FIRST, { prefix: '%' });
    await page.getByRole('button', { name: 'Show 1 new change' }).waitFor();
  },
  'history, question before an undo': async (stage) => {
    const { page, features } = await openHistory(stage);
    await askToUndo(page, features);
    await page.getByLabel('Reason (optional)').fill('x'.repeat(513));
    await page.getByText('At most 512 characters').waitFor();
  },
  'history, undone': async (stage) => {
    const { page, features } = await openHistory(stage);
    await askToUndo(page, features);
    await page.getByRole('button', { name: 'Undo the change' }).click();
    await page.getByText('Undone by change').first().waitFor();
  },
  'change that is not on record': async (stage) => {
    await heading(await stage.open('manager', `${HISTORY}/999999`), 'This change is not on record');
  },
  'transfer, preview': async (stage) => {
    await stage.change(FIRST, { prefix: '!', language: 'en-US', announcement_channel: '' });
    const settings = {
      prefix: '>>',
      language: 'ja',
      announcement_channel: SECOND.channels.announcements,
      theme: 'dark',
    };
    const exportedAt = '2026-01-02T03:04:05.678Z';
    const page = await chooseFile(stage, { guild: SECOND.id, name: SECOND.name, exportedAt, settings });
    await page.getByRole('table').waitFor();
  },
  'transfer, values refused': async (stage) => {
    const page = await chooseFile(stage, { guild: 'mine', settings: { prefix: 'x'.repeat(21), beta: 'yes' } });
    await page.getByRole('alert').getByRole('listitem').first().waitFor();
  },
  'danger, erased': async (stage) => {
    const page = await stage.open('owner', `/guilds/${SECOND.id}/danger`);
    await page.getByText(`confirm: ${SECOND.name}`).waitFor();
    await page.getByRole('textbox').fill(SECOND.name);
    await page.getByRole('textbox').press('Enter');
    await heading(page, 'Everything is erased');
  },
  'access, changed by another manager': async (stage) => {
    const [subject, path] = [`user:${PEOPLE.member.id}`, `/guilds/${FIRST.id}/access`];
    const setList = (level: string) =>
      callApi(stage.world.url, 'owner', { method: 'PUT', path, body: { entries: [{ subject, level }] } });
    await setList('viewer');
    const page = await stage.open('manager', path);
    await page.getByLabel(`Level of ${PEOPLE.member.globalName}`).selectOption('editor');
    let isEditor = false;
    // A change before the start of the events is read with the list.
    const isTold = async () => {
      isEditor = !isEditor;
      await setList(isEditor ? 'editor' : 'viewer');
      return page.getByRole('alert').getByText('Another manager changed the list.').isVisible();
    };
    await waitUntil(isTold, { message: 'the page to say that the list has changed' });
  },
} as const satisfies Readonly<Record<string, Reach>>;

export type StateName = keyof typeof STATES;

/** The states in which no other browser test ends. */
export const LONE_STATES: readonly StateName[] = [
  'login from a link to a page',
  'list of many',
  'list, service gone',
  'guild of others',
  'settings, invalid',
  'settings, features cannot be listed',
  'settings, conflict',
  'history, question before an undo',
  'change that is not on record',
  'transfer, values refused',
  'danger, erased',
  'access, changed by another manager',
];

export async function reachState(stage: Stage, name: StateName): Promise<Page> {
  await STATES[name](stage);
  return stage.shown;
}

/** A label that differs in each language. */
function label(text: string) {
  const others = { ru: 'Настройка', 'es-ES': 'Ajuste', hi: 'सेटिंग', ja: '設定' };
  const translated = Object.entries(others).map(([language, word]) => [language, `${word}: ${text}`]);
  return Object.fromEntries([['en-US', text], ...translated]) as { readonly 'en-US': string };
}

const switches = Array.from({ length: 30 }, (_, index) => [
  `extra${index}`,
  { kind: 'switch', group: 'extras', label: label(`Extra ${index}`) } as const,
]);

/** Settings of a team: each kind, single and as a list, and enough of them for a search. */
export const OWN_SETTINGS: Declaration = defineSettings({
  groups: {
    welcome: { label: label('Welcome'), enabledBy: 'welcomeOn' },
    paid: { label: label('Premium'), description: label('For servers with premium.'), enabledBy: 'premium' },
    extras: { label: label('Extras') },
  },
  settings: {
    welcomeOn: { kind: 'switch', group: 'welcome', label: label('Greet new members') },
    greeting: { kind: 'text', lines: 'many', max: 200, default: 'Hello!', group: 'welcome', label: label('Greeting') },
    premium: { kind: 'switch', setBy: 'application', group: 'paid', label: label('Premium features') },
    rate: { kind: 'integer', min: 0, max: 100, default: 5, unit: '%', group: 'paid', label: label('Experience rate') },
    cooldown: { kind: 'duration', min: 0, max: 86_400, default: 60, label: label('Cooldown') },
    log: { kind: 'channel', types: ['text'], label: label('Log channel') },
    helper: { kind: 'role', label: label('Helper role') },
    words: { kind: 'text', max: 20, many: { max: 2 }, label: label('Blocked words') },
    ignored: { kind: 'channel', many: { max: 3 }, label: label('Ignored channels') },
    given: { kind: 'role', many: { max: 3 }, label: label('Own roles') },
    ...Object.fromEntries(switches),
  },
});

const GONE = '999999999999999990';

/** The ids of the sandbox's roles follow those of its channels: one that the bot can assign, and two others. */
const rolesOf = ({ channels }: SandboxGuild) =>
  [1, 3, 5].map((index) => String(BigInt(channels.general) + 100n + BigInt(index)));

/** Brings the page into a state with changed settings of the team, in a world with `OWN_SETTINGS`. */
export async function reachOwnSettings(stage: Stage): Promise<Page> {
  const custom = { words: ['one', 'two'], log: GONE, helper: GONE, given: rolesOf(FIRST), rate: 9 };
  const settings = await openLive(stage, { custom });
  const fieldOf = (name: string) => settings.page.locator(`[data-field="custom.${name}"]`);
  await fieldOf('cooldown').getByRole('textbox').fill('5');
  await settings.openGroup('Welcome');
  await fieldOf('greeting').getByRole('textbox').fill('x'.repeat(200));
  await settings.shows('2 unsaved changes');
  await settings.openGroup('General');
  await settings.shows(`The role ${GONE} was deleted`);
  await settings.shows(`The channel ${GONE} was deleted`);
  return settings.page;
}
