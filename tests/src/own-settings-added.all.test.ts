import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { HistoryPage } from '@guild-settings/contract';
import type { Declaration } from '@guild-settings/contract/settings';
import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { APPLICATION, PEOPLE } from '@guild-settings/discord-sim/testing/world';
import { runProgramToEnd, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { callApi } from './testing/call-api.ts';
import { startDashboardWorld } from './testing/dashboard-world.ts';
import { buttonsOf, type DeskGuild, startSettingsDesk } from './testing/settings-desk.ts';
import { SettingsPage } from './testing/settings-page.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EXAMPLE = `${ROOT}examples/own-settings`;
const FILES = ['bot.ts', 'package.json', 'settings.ts', 'tsconfig.json'];
const [CHECK, IMPORT] = ['apps/api/src/cli/settings.ts', 'apps/transfer/src/import/main.ts'].map(
  (file) => ROOT + file,
) as [string, string];
const TSC = createRequire(`${EXAMPLE}/package.json`)
  .resolve('typescript/package.json')
  .replace('package.json', 'bin/tsc');

/** The added setting: a line of `settings.ts`. */
const ADDED = `    slowMode: { kind: 'integer', min: 0, max: 60, default: 3, group: 'moderation', label: { 'en-US': 'Slow mode' } },\n`;

const run = promisify(execFile);
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const git = async (...args: string[]) => (await run('git', args, { cwd: folder.path })).stdout;

/** Makes a repository of the example with the added setting, and returns the declaration served by its service. */
async function addSetting(): Promise<Declaration> {
  for (const file of FILES) cpSync(`${EXAMPLE}/${file}`, folder.file(file));
  await git('init', '--quiet');
  await git('add', '.');
  const author = ['-c', 'user.name=A team', '-c', 'user.email=team@example.com'];
  await git(...author, 'commit', '--quiet', '--message', 'The bot');
  const file = folder.file('settings.ts');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(?<=^ {2}settings: \{\n)/m, ADDED));
  const { stdout } = await runProgramToEnd({ args: [CHECK, 'check', file, '--json'] });
  return JSON.parse(stdout);
}

const declared: Declaration = await addSetting();
const desk = await startSettingsDesk(4, { declaration: declared });
afterAll(() => desk[Symbol.asyncDispose]());
const { people } = desk.discord;
const { manager } = PEOPLE;

const suggest = async (guild: DeskGuild, values: Record<string, string>, focused: string) => {
  const typed = people.type(manager.id, guild.channel, 'settings set', values, focused);
  return (await typed.suggestions()).map(({ name }) => name);
};
const rest = async (guild: DeskGuild, method: string, path: string, body?: object) => {
  const request = { method, path: `/guilds/${guild.id}${path}`, ...(body && { body }) };
  return (await callApi(desk.api.url, 'application', request)).json();
};

describe('a setting that is added to the declaration', () => {
  test('is in one file', async () => {
    expect(await git('status', '--porcelain')).toBe(' M settings.ts\n');
  });

  test('is in the record, the document, a change, the history and undo', async () => {
    const guild = desk.nextGuild();
    expect(await rest(guild, 'GET', '')).toMatchObject({ custom: { slowMode: 3, volume: 50 } });
    const document = JSON.parse(await (await fetch(`${desk.api.url}/openapi.json`)).text());
    const typeIn = (schema: string) => document.components.schemas[schema].properties.custom.properties.slowMode;
    expect(typeIn('GuildPatch')).toMatchObject({
      anyOf: [{ type: 'integer', minimum: 0, maximum: 60 }, { type: 'null' }],
    });
    expect(typeIn('Guild')).toMatchObject({ type: 'integer' });
    expect(await rest(guild, 'PATCH', '', { custom: { slowMode: 10 } })).toMatchObject({ custom: { slowMode: 10 } });
    const { entries } = (await rest(guild, 'GET', '/history?field=custom.slowMode')) as HistoryPage;
    expect(entries).toMatchObject([{ changes: { 'custom.slowMode': { from: 3, to: 10 } } }]);
    const undone = await rest(guild, 'POST', `/history/${entries[0]?.revision}/undo`);
    expect(undone).toMatchObject({ custom: { slowMode: 3 } });
  });

  test('is imported', async () => {
    const guild = desk.nextGuild();
    writeFileSync(folder.file('guilds.csv'), `server,slow\n${guild.id},20\n`);
    const args = ['--from', `csv:${folder.file('guilds.csv')}`, '--guild', 'server', '--map', 'slowMode=slow', '--yes'];
    const { clientSecret, id } = APPLICATION;
    const discord = {
      DISCORD_API_URL: desk.discord.apiUrl,
      DISCORD_APPLICATION_ID: id,
      DISCORD_CLIENT_SECRET: clientSecret,
    };
    await runProgramToEnd({ args: [IMPORT, ...args], env: { API_URL: desk.api.url, ...discord }, cwd: folder.path });
    expect(await rest(guild, 'GET', '')).toMatchObject({ custom: { slowMode: 20 } });
  });

  test('is in the chat: suggested, set, shown, in the history, and undone', async () => {
    const guild = desk.nextGuild();
    await waitUntil(
      async () => (await suggest(guild, { setting: 'slow' }, 'setting')).includes('Moderation · Slow mode'),
      {
        message: 'the texts of the settings',
      },
    );
    expect(await suggest(guild, { setting: 'slowMode', value: '' }, 'value')).toEqual(['3 (now)']);
    const ask = async (command: string, values = {}) =>
      (await desk.slash(guild, `settings ${command}`, values)).content;
    const changed = '<@53908099506183681> changed Slow mode from `3` to `12`';
    expect(await ask('set', { setting: 'slowMode', value: '12' })).toContain('12');
    expect(await ask('history')).toContain(changed);
    let shown = await desk.slash(guild, 'settings show');
    while (!shown.content.includes('Moderation')) {
      desk.press(shown, 'Next');
      shown = await desk.edited(shown);
    }
    expect(shown.content).toContain('**Slow mode**: `12`');
    const question = await desk.slash(guild, 'settings undo');
    expect([...buttonsOf(question).keys()]).toContain('Undo');
    desk.press(question, 'Undo');
    expect((await desk.edited(question)).content).toContain('was undone');
  });

  test.skipIf(!HAS_BROWSER)('has a control on the page, in its group, and is found by the search', async () => {
    // Enough settings for a search.
    const others = Array.from({ length: 12 }, (_, index) => [
      `other${index}`,
      { kind: 'switch', label: { 'en-US': `Other ${index}` } },
    ]);
    const settings = { ...declared.settings, ...Object.fromEntries(others) };
    const file = folder.file('settings.json');
    writeFileSync(file, JSON.stringify({ ...declared, settings }));
    await using world = await startDashboardWorld({ SETTINGS_FILE: file });
    const guild = await world.addGuild('Added');
    await using form = await SettingsPage.open(world, guild, guild.manager);
    const { page } = form;
    await page.getByRole('searchbox').fill('slow');
    await page.getByRole('link', { name: 'Slow mode' }).click();
    const control = page.getByRole('region', { name: 'Moderation' }).getByLabel('Slow mode');
    expect(await control.inputValue()).toBe('3');
    await control.fill('12');
    await form.saved();
    expect(await guild.record()).toMatchObject({ custom: { slowMode: 12 } });
  });

  test("has a type in the team's bot, where another name does not compile", async () => {
    symlinkSync(`${EXAMPLE}/node_modules`, folder.file('node_modules'));
    const compile = (line: string) => {
      writeFileSync(folder.file('bot.ts'), `${readFileSync(`${EXAMPLE}/bot.ts`, 'utf8')}\n${line}\n`);
      return runProgramToEnd({ args: [TSC, '--noEmit'], cwd: folder.path });
    };
    await compile(`export const seconds: number = replica.get('1').custom.slowMode;`);
    await expect(compile(`replica.get('1').custom.slowmode;`)).rejects.toThrow("Property 'slowmode' does not exist");
  });
});
