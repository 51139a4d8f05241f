import type { Page } from 'playwright-core';
import { cut, type DashboardState, FIRST, SECOND, type Stage } from './stage.ts';

const PATH = `/guilds/${FIRST.id}/transfer`;
const FILE = 'settings.json';

async function choose(stage: Stage, content: string, name = FILE): Promise<Page> {
  const page = await stage.open('owner', PATH);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });
  return page;
}

const EXPORTED = {
  version: 1,
  guild: SECOND.id,
  name: SECOND.name,
  exportedAt: '2026-01-02T03:04:05.678Z',
  settings: { prefix: '>>', language: 'ja', announcement_channel: SECOND.channels.announcements, theme: 'dark' },
  history: { complete: true, entries: [] },
};

async function preview(stage: Stage): Promise<Page> {
  await stage.change(FIRST, { prefix: '!', language: 'en-US', announcement_channel: '' });
  const page = await choose(stage, JSON.stringify(EXPORTED));
  await page.getByRole('table').waitFor();
  return page;
}

/** Export and import. */
export const TRANSFER_STATES: readonly DashboardState[] = [
  {
    name: 'transfer',
    async reach(stage) {
      const page = await stage.open('owner', PATH);
      await page.getByRole('button', { name: 'Download' }).waitFor();
      return page;
    },
  },
  {
    name: 'transfer, exported',
    async reach(stage) {
      const page = await stage.open('owner', PATH);
      await page.getByRole('button', { name: 'Download' }).click();
      await page.getByText('The file is in your downloads').first().waitFor();
      return page;
    },
  },
  { name: 'transfer, preview', reach: preview },
  {
    name: 'transfer, changed since the preview',
    async reach(stage) {
      const page = await preview(stage);
      await stage.change(FIRST, { prefix: '$' });
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByText('Nothing was imported yet.').waitFor();
      return page;
    },
  },
  {
    name: 'transfer, import failed',
    async reach(stage) {
      const page = await preview(stage);
      await cut(page, 'guilds.import');
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByRole('alert').waitFor();
      return page;
    },
  },
  {
    name: 'transfer, imported',
    async reach(stage) {
      const page = await preview(stage);
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByText('The settings were imported.').first().waitFor();
      return page;
    },
  },
  {
    name: 'transfer, nothing to import',
    async reach(stage) {
      await stage.change(FIRST, { prefix: '>>' });
      const page = await choose(
        stage,
        JSON.stringify({ version: 1, guild: FIRST.id, settings: { prefix: '>>' } }),
        'a-long-name-without-a-space-as-browsers-give-them-to-downloads-(12).json',
      );
      await page.getByText('There is nothing to import.').first().waitFor();
      return page;
    },
  },
  {
    name: 'transfer, not a file of an export',
    async reach(stage) {
      const page = await choose(stage, '{"prefix":"?"}');
      await page.getByRole('alert').waitFor();
      return page;
    },
  },
  {
    name: 'transfer, values refused',
    async reach(stage) {
      const settings = { prefix: 'x'.repeat(21), beta: 'yes' };
      const page = await choose(stage, JSON.stringify({ version: 1, guild: 'mine', settings }));
      await page.getByRole('alert').getByRole('listitem').first().waitFor();
      return page;
    },
  },
];

/** Erasing a guild. */
export const DANGER_STATES: readonly DashboardState[] = [
  {
    name: 'danger, for a manager',
    async reach(stage) {
      const page = await stage.open('manager', `/guilds/${SECOND.id}/danger`);
      await page.getByText('Only the owner of the server').waitFor();
      return page;
    },
  },
  {
    name: 'danger, another name was typed',
    async reach(stage) {
      const page = await stage.open('owner', `/guilds/${SECOND.id}/danger`);
      await page.getByText(`confirm: ${SECOND.name}`).waitFor();
      await page.getByRole('textbox').fill('another name');
      await page.getByRole('textbox').press('Enter');
      await page.getByText('That is neither the name of the server nor its ID.').waitFor();
      return page;
    },
  },
  {
    name: 'danger, erased',
    async reach(stage) {
      const page = await stage.open('owner', `/guilds/${SECOND.id}/danger`);
      await page.getByText(`confirm: ${SECOND.name}`).waitFor();
      await page.getByRole('textbox').fill(SECOND.name);
      await page.getByRole('textbox').press('Enter');
      await page.getByRole('heading', { name: 'Everything is erased' }).waitFor();
      return page;
    },
  },
];
