import type { GuildAccessList, GuildLevel } from '@guild-settings/contract';
import { PEOPLE } from '@guild-settings/discord-sim/testing/world';
import { waitUntil } from '@guild-settings/testing';
import type { Page } from 'playwright-core';
import { callApi } from '../call-api.ts';
import { FIRST, heading, refuse, respond, respondOwnGuild, type Stage, type States, THIRD } from './stage.ts';

type Entries = GuildAccessList['entries'];

const PATH = `/guilds/${FIRST.id}/access`;
const ROLE = String(BigInt(FIRST.id) + 1n);
const MEMBER = `user:${PEOPLE.member.id}` as const;
const NAME = PEOPLE.member.globalName;
const LIST: Entries = [
  { subject: `role:${ROLE}`, level: 'editor' },
  { subject: MEMBER, level: 'viewer' },
];
const NO_TOKEN = { slug: 'bot-token-missing', status: 501 };

/** Replaces the list as another program of the owner. */
const setList = ({ world }: Stage, entries: Entries) =>
  callApi(world.url, 'owner', { method: 'PUT', path: PATH, body: { entries } });
const clear = (stage: Stage) => setList(stage, []);
const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click();
const alert = (page: Page, text: string) => page.getByRole('alert').getByText(text).waitFor();

async function open(stage: Stage, entries: Entries = LIST): Promise<Page> {
  await setList(stage, entries);
  const page = await stage.open('manager', PATH);
  await page.getByRole('heading', { name: 'What each level can do' }).waitFor();
  return page;
}

/** Types into the picker, and waits for a text in its list. */
async function search(page: Page, typed: string, text: string): Promise<Page> {
  await page.getByRole('combobox', { name: 'Add a role or a person' }).focus();
  await page.keyboard.type(typed);
  await page.getByRole('listbox').getByText(text).first().waitFor();
  return page;
}

/** Chooses another level, and saves it, which is refused. */
async function saveRefused(stage: Stage, refusal: Parameters<typeof refuse>[2], text: string): Promise<void> {
  await refuse(await stage.page('manager'), 'guilds.setAccess', refusal);
  const page = await open(stage);
  await page.getByLabel(`Level of ${NAME}`).selectOption('editor');
  await save(page);
  await alert(page, text);
}

/** Opens the page without the roles, and adds an id. */
async function addById(stage: Stage, { kind = 'user', id }: { readonly kind?: string; readonly id: string }) {
  await refuse(await stage.page('manager'), 'guilds.roles', NO_TOKEN);
  const page = await open(stage);
  await page.getByLabel('Role or person').selectOption(kind);
  await page.getByLabel('ID', { exact: true }).fill(id);
  await page.getByRole('button', { name: 'Add' }).click();
  return page;
}

const { id, name, icon } = FIRST;
const guildAs = (access: GuildLevel) => {
  return { id, name, icon, owner: false, permissions: '0', access, botPresent: true };
};

/** Opens a page as a person with a level that has become another one since. */
async function become(stage: Stage, from: GuildLevel, to: GuildLevel, text: string): Promise<void> {
  const page = await stage.page('manager');
  await clear(stage);
  await respondOwnGuild(page, guildAs(from));
  await stage.open('manager', `/guilds/${id}`);
  await page.locator('[data-live=live]').waitFor();
  await respondOwnGuild(page, guildAs(to));
  await setList(stage, [{ subject: MEMBER, level: 'viewer' }]);
  await page.getByText(text).first().waitFor();
}

/** While the list of the picker is open, React Aria hides the rest of the page from screen readers. */
const choosing = (reach: (stage: Stage) => Promise<unknown>) => ({
  parts: ['[role=listbox]', ':has(> [role=combobox])'],
  reach,
  leave: async (stage: Stage) => (await stage.page('manager')).keyboard.press('Escape'),
});

/** The access list, and what editors and viewers see. */
export const ACCESS_STATES: States = {
  access: async (stage) => {
    const page = await open(stage);
    await page.getByRole('row', { name: `Deleted role (${ROLE})` }).waitFor();
  },
  'access, nobody': async (stage) => {
    const page = await open(stage, []);
    await page.getByText('Nobody else.').waitFor();
  },
  'access, choosing': choosing(async (stage) => search(await open(stage), '', 'Role of a bot or an integration')),
  'access, a person was added': async (stage) => {
    const page = await search(await open(stage, []), 'ra', NAME);
    await page.getByRole('option', { name: NAME }).click();
    await page.getByRole('status').getByText('as a viewer. Save to apply.').waitFor({ state: 'attached' });
  },
  'access, people found': choosing(async (stage) => search(await open(stage, []), 'ra', 'People')),
  'access, nobody found': choosing(async (stage) =>
    search(await open(stage), 'zzz', 'No role or member has that name.'),
  ),
  'access, no roles': choosing(async (stage) => {
    await respond(await stage.page('manager'), 'guilds.roles', []);
    await search(await open(stage), '', 'Type the start of a name');
  }),
  'access, one was removed': async (stage) => {
    const page = await open(stage);
    await page.getByRole('button', { name: `Remove ${NAME}` }).click();
    await page.getByRole('status').getByText('. Save to apply.').waitFor({ state: 'attached' });
  },
  'access, question before leaving': async (stage) => {
    const page = await open(stage);
    await page.getByRole('button', { name: `Remove ${NAME}` }).click();
    await page.getByRole('link', { name: 'History', exact: true }).click();
    await page.getByRole('alertdialog').waitFor();
  },
  'access, saved': async (stage) => {
    const page = await open(stage);
    await page.getByLabel(`Level of ${NAME}`).selectOption('editor');
    await save(page);
    await page.getByText('Saved. It applies from now on.').first().waitFor();
  },
  'access, changed by another manager': async (stage) => {
    const page = await open(stage);
    await page.getByLabel(`Level of ${NAME}`).selectOption('editor');
    const told = page.getByRole('alert').getByText('Another manager changed the list.');
    let isLonger = false;
    // A change before the events begin is read with the list.
    const isTold = async () => {
      isLonger = !isLonger;
      await setList(stage, isLonger ? LIST : LIST.slice(1));
      return told.isVisible();
    };
    await waitUntil(isTold, { message: 'the page to say that the list has changed' });
  },
  'access, roles unknown': (stage) => saveRefused(stage, NO_TOKEN, 'The service cannot check who has a role'),
  'access, refused': async (stage) => {
    const fields = { issues: [{ path: ['entries', 0], pointer: '/entries/0', message: '"role:1"' }] };
    await saveRefused(stage, { slug: 'invalid-request', status: 400, fields }, 'The service rejected the list');
  },
  'access, full': async (stage) => {
    const entries = Array.from({ length: 50 }, (_, index) => ({
      subject: `user:${BigInt(ROLE) + BigInt(index)}` as const,
      level: 'viewer' as const,
    }));
    const page = await open(stage, entries);
    await page.getByText('The list is full').waitFor();
  },
  'access, by id': (stage) => addById(stage, { id: 'mika' }),
  'access, the id of everyone': (stage) => addById(stage, { kind: 'role', id }),
  'access, an id that is listed': (stage) => addById(stage, { id: PEOPLE.member.id }),
  'access, for a viewer': async (stage) => {
    await respondOwnGuild(await stage.page('manager'), guildAs('viewer'));
    await open(stage);
  },
  'settings, for a viewer': async (stage) => {
    await respondOwnGuild(await stage.page('manager'), guildAs('viewer'));
    const page = await stage.open('manager', `/guilds/${id}`);
    await page.locator('[data-live=live]').waitFor();
  },
  'list, of an editor': async (stage) => {
    await respondOwnGuild(await stage.page('manager'), guildAs('editor'));
    const page = await stage.open('manager', '/');
    await page.getByText('Editor').waitFor();
  },
  'list, of a viewer without the bot': async (stage) => {
    await respondOwnGuild(await stage.page('manager'), { ...guildAs('viewer'), botPresent: false });
    const page = await stage.open('manager', '/');
    await page.getByText('Viewer').waitFor();
  },
  'guild without the bot, for a viewer': async (stage) => {
    await respondOwnGuild(await stage.page('manager'), { ...guildAs('viewer'), id: THIRD.id, botPresent: false });
    const page = await stage.open('manager', `/guilds/${THIRD.id}`);
    await heading(page, 'The bot is not on this server');
  },
  'settings, made a viewer': {
    reach: (stage) => become(stage, 'editor', 'viewer', 'You are now a viewer of this server'),
    leave: clear,
  },
  'settings, made an editor': {
    reach: (stage) => become(stage, 'viewer', 'editor', 'You are now an editor of this server'),
    leave: clear,
  },
  'settings, made a manager': {
    reach: (stage) => become(stage, 'editor', 'manager', 'You now manage this server'),
    leave: clear,
  },
};
