import { type Declaration, defineSettings } from '@guild-settings/contract/settings';
import type { Locator } from 'playwright-core';
import { TWO_FRAMES } from '../dashboard-pages.ts';
import { open } from './open-settings.ts';
import { FIRST, refuse, SECOND, type Stage, type States } from './stage.ts';

/** A label in each language, and in none as in another one. */
function label(text: string) {
  const others = { ru: 'Настройка', 'es-ES': 'Ajuste', hi: 'सेटिंग', ja: '設定' };
  const translated = Object.entries(others).map(([language, word]) => [language, `${word}: ${text}`]);
  return Object.fromEntries([['en-US', text], ...translated]) as { readonly 'en-US': string };
}

const switches = Array.from({ length: 30 }, (_, index) => [
  `extra${index}`,
  { kind: 'switch', group: 'extras', label: label(`Extra ${index}`) } as const,
]);

/** Settings of a team: each kind, single and as a list, and so many that they can be searched. */
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
/** The roles of the sandbox have the ids after its channels. The bot can give the second one, the last two belong to others. */
const roleId = (index: number) => String(BigInt(FIRST.channels.general) + 100n + BigInt(index));
const [MEMBER, BOOSTER, ADMIN] = [1, 3, 5].map(roleId) as [string, string, string];

const DEFAULTS = Object.fromEntries(
  Object.entries(OWN_SETTINGS.settings ?? {})
    .filter(([, { setBy }]) => setBy !== 'application')
    .map(([name]) => [name, null]),
);

/** Opens the settings with the defaults of the team, and with other values. */
async function openOwn(stage: Stage, custom: object = {}) {
  const settings = await open(stage, { custom: { ...DEFAULTS, ...custom } });
  await settings.live();
  return { settings, fieldOf: (name: string) => settings.page.locator(`[data-field="custom.${name}"]`) };
}

async function typeInto(field: Locator, text: string): Promise<void> {
  await field.getByRole('combobox').click();
  await field.page().getByRole('listbox').waitFor();
  await field.getByRole('combobox').fill(text);
}

/** The states of the page with settings that a team declares. */
export const OWN_STATES: States = {
  'own settings': async (stage) => {
    const { settings } = await openOwn(stage);
    await settings.shows('Switched off by the bot’s team');
  },
  'own settings, changed': async (stage) => {
    const custom = { words: ['one', 'two'], log: GONE, helper: GONE, given: [MEMBER, BOOSTER, ADMIN], rate: 9 };
    const { settings, fieldOf } = await openOwn(stage, custom);
    await fieldOf('greeting').getByRole('textbox').fill('x'.repeat(200));
    await fieldOf('cooldown').getByRole('textbox').fill('5');
    await settings.shows('2 unsaved changes');
    await settings.shows(`The role ${GONE} was deleted`);
    await settings.shows(`The channel ${GONE} was deleted`);
  },
  'own settings, invalid': async (stage) => {
    const { settings, fieldOf } = await openOwn(stage);
    await fieldOf('rate').getByRole('textbox').fill('x');
    await fieldOf('cooldown').getByRole('textbox').fill('x');
    await settings.save.click();
    await settings.shows('Fix the marked settings to save');
  },
  'own settings, nothing is found': async (stage) => {
    const { settings } = await openOwn(stage);
    await settings.page.getByRole('searchbox').fill('ничего');
    await settings.shows('No setting matches.');
  },
  'own settings, choosing a role': {
    // The button that resets the setting is hidden as well.
    parts: ['[role=listbox]', '[data-field="custom.helper"] input'],
    async reach(stage) {
      const { settings, fieldOf } = await openOwn(stage, { helper: GONE });
      const box = fieldOf('helper').getByRole('combobox');
      // The list closes when the page scrolls.
      await box.scrollIntoViewIfNeeded();
      await settings.page.evaluate(TWO_FRAMES);
      await box.click();
      await settings.page.getByRole('option', { name: 'None' }).waitFor();
    },
    leave: async (stage) => (await stage.page('manager')).keyboard.press('Escape'),
  },
  'own settings, no role is called what was typed': {
    parts: ['[role=listbox]', '[data-field="custom.given"]'],
    async reach(stage) {
      const { settings, fieldOf } = await openOwn(stage);
      await typeInto(fieldOf('given'), 'ничего');
      await settings.shows('No role has that name.');
    },
    leave: async (stage) => (await stage.page('manager')).keyboard.press('Escape'),
  },
  'own settings, a role of another server is not imported': async (stage) => {
    const page = await stage.open('manager', `/guilds/${FIRST.id}/transfer`);
    const exported = { version: 1, guild: SECOND.id, settings: { prefix: '>>', custom: { helper: MEMBER } } };
    const buffer = Buffer.from(JSON.stringify(exported));
    const file = { name: 'settings.json', mimeType: 'application/json', buffer };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('The role belongs to the exported server.').waitFor();
  },
  'own settings, roles and channels cannot be listed on this site': async (stage) => {
    const missing = { slug: 'bot-token-missing', status: 501 };
    await refuse(await stage.page('manager'), 'guilds.roles', missing);
    await refuse(await stage.page('manager'), 'guilds.channels', missing);
    const { settings } = await openOwn(stage);
    await settings.shows('Roles cannot be listed on this site.');
  },
  'own settings, roles and channels cannot be listed just now': async (stage) => {
    const failed = { slug: 'discord-unavailable', status: 503 };
    await refuse(await stage.page('manager'), 'guilds.roles', failed);
    await refuse(await stage.page('manager'), 'guilds.channels', failed);
    const { settings } = await openOwn(stage);
    await settings.shows('Roles cannot be listed right now.');
  },
};
