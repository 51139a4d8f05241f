import { LIMITS } from '@guild-settings/contract';
import type { Page } from 'playwright-core';
import { cut, each, FIRST, hold, refuse, respondOwnGuild, SECOND, type Stage, type States } from './stage.ts';

const PATH = `/guilds/${FIRST.id}/transfer`;
const FILE = 'settings.json';

async function choose(stage: Stage, content: string | Buffer, name = FILE): Promise<Page> {
  const page = await stage.open('owner', PATH);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });
  return page;
}

/** Chooses a file of a disk that reads as a script says. */
async function chooseSlow(stage: Stage, reading: string, text: string): Promise<Page> {
  const page = await stage.open('owner', PATH);
  await page.evaluate(`Blob.prototype.arrayBuffer = () => ${reading}`);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: FILE, mimeType: 'application/json', buffer: Buffer.of(123) });
  await page.getByText(text).waitFor();
  return page;
}

const EXPORTED = {
  version: 1,
  guild: SECOND.id,
  name: SECOND.name,
  exportedAt: '2026-01-02T03:04:05.678Z',
  settings: { prefix: '>>', language: 'ja', announcement_channel: SECOND.channels.announcements, theme: 'dark' },
  history: { complete: true, entries: [] },
  access: [],
};

async function preview(stage: Stage): Promise<Page> {
  await stage.change(FIRST, { prefix: '!', language: 'en-US', announcement_channel: '' });
  const page = await choose(stage, JSON.stringify(EXPORTED));
  await page.getByRole('table').waitFor();
  return page;
}

/** Files that are not sent to the service, or that it refuses as a whole. */
const WRONG_FILES = [
  ['larger than any export', ' '.repeat(LIMITS.importBytes + 1)],
  ['empty', ''],
  ['not text', Buffer.of(0xff)],
  ['not JSON', '{'],
  ['of another version', '{"version":2}'],
  [
    'with values longer than any export has',
    JSON.stringify({ version: 1, guild: '1', settings: { prefix: 'x'.repeat(100_000) } }),
  ],
] as const;

/** Export and import. */
export const TRANSFER_STATES: States = {
  transfer: async (stage) => {
    const page = await stage.open('owner', PATH);
    await page.getByRole('button', { name: 'Download' }).waitFor();
  },
  'transfer, exported': async (stage) => {
    const page = await stage.open('owner', PATH);
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByText('The file is in your downloads').first().waitFor();
  },
  'transfer, preparing the file': async (stage) => {
    await hold(await stage.page('owner'), 'guilds.export');
    const page = await stage.open('owner', PATH);
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByText('Preparing the file…').waitFor();
  },
  'transfer, preview': preview,
  'transfer, changed since the preview': async (stage) => {
    const page = await preview(stage);
    await stage.change(FIRST, { prefix: '$' });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Nothing was imported yet.').waitFor();
  },
  'transfer, import failed': async (stage) => {
    const page = await preview(stage);
    await refuse(page, 'guilds.import', { slug: 'store-unavailable', status: 503 });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('alert').waitFor();
  },
  'transfer, import not confirmed': async (stage) => {
    const page = await preview(stage);
    await cut(page, 'guilds.import');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('The service did not confirm the import.').waitFor();
  },
  ...each(WRONG_FILES, ([name, content]) => [
    `transfer, a file ${name}`,
    async (stage) => {
      const page = await choose(stage, content);
      await page.getByRole('alert').getByText('Nothing was changed.').waitFor();
    },
  ]),
  'transfer, imported': async (stage) => {
    const page = await preview(stage);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('The settings were imported.').first().waitFor();
  },
  'transfer, nothing to import': async (stage) => {
    await stage.change(FIRST, { prefix: '>>' });
    const page = await choose(
      stage,
      JSON.stringify({ version: 1, guild: FIRST.id, settings: { prefix: '>>' } }),
      'a-long-name-without-a-space-as-browsers-give-them-to-downloads-(12).json',
    );
    await page.getByText('There is nothing to import.').first().waitFor();
  },
  'transfer, not a file of an export': async (stage) => {
    const page = await choose(stage, '{"prefix":"?"}');
    await page.getByRole('alert').waitFor();
  },
  'transfer, reading the file': (stage) => chooseSlow(stage, 'new Promise(() => {})', 'Reading settings.json…'),
  'transfer, a file that is gone': (stage) =>
    chooseSlow(stage, 'Promise.reject(new Error())', 'The file could not be read.'),
  'transfer, refused as a whole': async (stage) => {
    const fields = { detail: 'Expected a document.' };
    await refuse(await stage.page('owner'), 'guilds.import', { slug: 'invalid-request', status: 400, fields });
    const page = await choose(stage, JSON.stringify(EXPORTED));
    await page.getByText('The service rejected the file: Expected a document.').waitFor();
  },
  'transfer, values refused': async (stage) => {
    const settings = { prefix: 'x'.repeat(21), beta: 'yes' };
    const page = await choose(stage, JSON.stringify({ version: 1, guild: 'mine', settings }));
    await page.getByRole('alert').getByRole('listitem').first().waitFor();
  },
};

/** Confirms an erasure that does not reach the service, and waits for a text. */
async function erase(stage: Stage, intercept: (page: Page) => Promise<unknown>, text: string): Promise<Page> {
  await intercept(await stage.page('owner'));
  const page = await stage.open('owner', `/guilds/${SECOND.id}/danger`);
  await page.getByText(`confirm: ${SECOND.name}`).waitFor();
  await page.getByRole('textbox').fill(SECOND.name);
  await page.getByRole('textbox').press('Enter');
  await page.getByText(text).waitFor();
  return page;
}

/** Erasing a guild. */
export const DANGER_STATES: States = {
  'settings, of an owner': async (stage) => {
    const page = await stage.open('owner', `/guilds/${SECOND.id}`);
    await page.getByRole('link', { name: 'Erase…' }).scrollIntoViewIfNeeded();
  },
  'danger, for a manager': async (stage) => {
    const page = await stage.open('manager', `/guilds/${SECOND.id}/danger`);
    await page.getByText('Only the owner of this server').waitFor();
  },
  'danger, another name was typed': async (stage) => {
    const page = await stage.open('owner', `/guilds/${SECOND.id}/danger`);
    await page.getByText(`confirm: ${SECOND.name}`).waitFor();
    await page.getByRole('textbox').fill('another name');
    await page.getByRole('textbox').press('Enter');
    await page.getByText('That is neither the name of the server nor its ID.').waitFor();
  },
  'danger, a name that cannot be typed': async (stage) => {
    const { id, icon } = SECOND;
    const guild = { id, icon, name: '\u3164', owner: true, permissions: '0', botPresent: true };
    await respondOwnGuild(await stage.page('owner'), { ...guild, access: 'manager' });
    const page = await stage.open('owner', `/guilds/${id}/danger`);
    await page.getByText(`Type the ID of the server to confirm: ${id}`).waitFor();
  },
  'danger, erasing': (stage) => erase(stage, (page) => hold(page, 'guilds.erase'), 'Erasing…'),
  'danger, not confirmed': (stage) =>
    erase(stage, (page) => cut(page, 'guilds.erase'), 'The service did not confirm it.'),
  'danger, erased': async (stage) => {
    const page = await stage.open('owner', `/guilds/${SECOND.id}/danger`);
    await page.getByText(`confirm: ${SECOND.name}`).waitFor();
    await page.getByRole('textbox').fill(SECOND.name);
    await page.getByRole('textbox').press('Enter');
    await page.getByRole('heading', { name: 'Everything is erased' }).waitFor();
  },
};
