import { readFileSync, writeFileSync } from 'node:fs';
import { startTestPostgres, temporaryFolder } from '@guild-settings/testing';
import { settingsFile, startApi } from '@guild-settings/testing/api';
import { runCommandHere } from '@guild-settings/testing/api-programs';
import { IDS } from '@guild-settings/testing/people';
import { migratedDatabase } from '@guild-settings/testing/stores';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

function moduleOf(name: string, declaration: string): string {
  writeFileSync(
    folder.file(name),
    `import { defineSettings } from '@guild-settings/replica';
     export const settings = defineSettings(${declaration});`,
  );
  return folder.file(name);
}

const check = (...args: string[]) => runCommandHere('settings', { args: ['check', ...args] });

const LABEL = `label: { 'en-US': 'A label' }`;
const SOUND = `{
  groups: { g: { ${LABEL} } },
  settings: {
    on: { kind: 'switch', group: 'g', ${LABEL} },
    rate: { kind: 'integer', min: 0, max: 9, default: 1, ${LABEL} },
  },
  defaults: { prefix: '?' },
}`;

test('a declaration without flaws is summed up, with its tag', async () => {
  expect(await check(moduleOf('sound.ts', SOUND))).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /^The declaration has no flaws \(settings: 2, groups: 1, features: 0, defaults: 1\)\.\nThe largest possible record has \d+ of at most 65536 bytes\.\nTag: [0-9a-f]{8}$/,
    ),
    stderr: '',
    output: expect.any(String),
  });
});

test('the declaration of docs/own-settings.md has no flaws, and what the page shows is printed', async () => {
  const page = readFileSync(new URL('../../../docs/own-settings.md', import.meta.url), 'utf8');
  const block = (start: string) => page.split(`\n${start}\n`)[1]?.split('\n```')[0] ?? '';
  writeFileSync(folder.file('page.ts'), block('```ts'));
  const printed = block('$ npx --yes pnpm@12 run settings check settings.ts');
  // The specified settings are in the bytes and in the tag as well.
  const ofDeclaration = (text: string) => text.replace(/(?<=has )\d{5}|(?<=Tag: )[0-9a-f]{8}/g, '…');
  const { stdout, stderr } = await check(folder.file('page.ts'));
  expect([ofDeclaration(stdout), stderr]).toEqual([ofDeclaration(printed), '']);
});

test('every flaw is printed with its path on standard error, with exit code 1 and nothing on standard output', async () => {
  const path = moduleOf('flaws.ts', `{ settings: { prefix: { kind: 'map' } }, colour: 1 }`);
  const expected = {
    code: 1,
    stdout: '',
    stderr: [
      `${path} is not a valid declaration of settings:`,
      '  /colour: unknown field; expected one of groups, settings, features, defaults',
      '  /settings/prefix: expected another name: guilds already have a field with this name',
      '  /settings/prefix/kind: expected one of switch, integer, number, duration, time, timeZone, choice, text, color, emoji, channel, role, user, table, received "map"',
      '  /settings/prefix/label: expected an object, received nothing',
    ].join('\n'),
  };
  expect(await check(path)).toMatchObject(expected);
  expect(await check(path, '--json')).toMatchObject(expected);
});

test('--json prints the JSON that the service reads, and what is printed of that is the same', async () => {
  const { stdout } = await check(moduleOf('json.ts', SOUND), '--json');
  const path = folder.file('settings.json');
  writeFileSync(path, stdout);
  const { settings } = readConfig({ DISCORD_APPLICATION_ID: '80351110224678912', SETTINGS_FILE: path });
  expect(settings.custom?.map(({ name }) => name)).toEqual(['on', 'rate']);
  expect((await check(path, '--json')).stdout).toBe(readFileSync(path, 'utf8'));
});

test.each([
  [[], 'Expected COMMAND, which is missing. --help lists the options.'],
  [['check'], 'Expected FILE, which is missing. --help lists the options.'],
  [['clean', 'x'], 'Expected check for COMMAND, received "clean". --help lists the options.'],
])('wrong arguments %j are refused with exit code 2', async (args, message) => {
  const { code, stderr } = await runCommandHere('settings', { args });
  expect([code, stderr]).toEqual([2, message]);
});

describe.each(['SQLite', 'PostgreSQL'])('with the database of a service that runs, on %s,', (store) => {
  test('what changes for how many guilds is printed', async () => {
    await using server = store === 'SQLite' ? undefined : await startTestPostgres();
    const url = server && (await migratedDatabase(server));
    using file = settingsFile({
      settings: {
        gone: { kind: 'switch', label: { 'en-US': 'Gone' } },
        kind: { kind: 'integer', min: 0, max: 9, default: 1, label: { 'en-US': 'Kind' } },
        rate: { kind: 'integer', min: 0, max: 90, default: 1, label: { 'en-US': 'Rate' } },
        unused: { kind: 'switch', label: { 'en-US': 'Unused' } },
        forgotten: { kind: 'switch', label: { 'en-US': 'Never set' } },
        muteRole: { kind: 'role', label: { 'en-US': 'Muted' } },
        staff: { kind: 'role', label: { 'en-US': 'Staff' } },
        hello: { kind: 'text', max: 9, label: { 'en-US': 'Hello' } },
        bye: { kind: 'duration', min: 0, max: 9, default: 1, label: { 'en-US': 'Bye' } },
      },
    });
    await using api = await startApi({ SETTINGS_FILE: file.path, ...(url && { DATABASE_URL: url }) });
    await api.patch(IDS.guild, {
      custom: { gone: true, kind: 5, rate: 50, muteRole: IDS.manager, staff: IDS.manager, hello: 'Hi', bye: 2 },
    });
    await api.patch(IDS.otherGuild, { custom: { rate: 5 } });
    const path = moduleOf(
      `narrowed-${store}.ts`,
      `{ settings: {
        kind: { kind: 'text', max: 9, ${LABEL} },
        rate: { kind: 'integer', min: 0, max: 9, default: 1, ${LABEL} },
        unused: { kind: 'text', max: 9, ${LABEL} },
        staff: { kind: 'role', many: { max: 2 }, ${LABEL} },
        greeting: { kind: 'text', max: 9, was: 'hello', ${LABEL} },
        mutedRole: { kind: 'role', ${LABEL} },
        fresh: { kind: 'role', many: { max: 2 }, ${LABEL} },
        one: { kind: 'duration', min: 0, max: 9, default: 1, ${LABEL} },
        two: { kind: 'duration', min: 0, max: 9, default: 1, ${LABEL} },
      } }`,
    );
    const { stdout, code } = await check(path, '--database', url ?? `file:${api.databasePath}`);
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(3)).toEqual([
      expect.stringMatching(/^Last served: [0-9a-f]{8}\.$/),
      '! custom.kind: was integer, is text, set in 1 guild: the service will not start. Declare it as it was, or under a new name, and import the old values to it',
      '~ custom.rate: no longer valid in 1 guild; stored values stay until they are changed',
      '= custom.staff: was role, is list of role; the values in 1 guild are kept',
      '= custom.greeting: was hello; the values in 1 guild are kept',
      "+ custom.mutedRole: new (role); the default applies in 2 guilds. Renamed? (was: 'muteRole')",
      '+ custom.fresh: new (list of role); the default applies in 2 guilds',
      '+ custom.one: new (duration); the default applies in 2 guilds',
      '+ custom.two: new (duration); the default applies in 2 guilds',
      '- custom.bye: not declared; the values in 1 guild are kept, and unused',
      '- custom.gone: not declared; the values in 1 guild are kept, and unused',
      '- custom.muteRole: not declared; the values in 1 guild are kept, and unused',
    ]);
  });
});
