import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createGuildSettingsClient } from '@guild-settings/client';
import { GuildSettings, ProblemError } from '@guild-settings/contract';
import { defineSettings } from '@guild-settings/contract/settings';
import { serveHttp, type TemporaryFolder, temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { startService, startTransfer } from './transfer-kit.ts';

const [ONE, OTHER, THIRD] = ['197038439483310086', '613425648685547541', '1197038439483310086'] as const;
const CHANNEL = '381870553235193857';

const label = { 'en-US': 'A setting' };
const DECLARATION = defineSettings({
  settings: {
    welcomeMessage: { kind: 'text', lines: 'many', max: 20, default: 'Welcome!', label },
    logChannels: { kind: 'channel', many: { max: 2 }, label },
    autoRoles: { kind: 'role', many: { max: 2 }, label },
    title: { kind: 'text', max: 9, label },
    xpRate: { kind: 'integer', min: 0, max: 100, default: 5, label },
    cooldown: { kind: 'duration', min: 0, max: 3_600, default: 60, label },
    logLevel: { kind: 'choice', choices: { off: { ja: 'オフ' }, all: { ja: 'すべて' } }, default: 'off', label },
    premium: { kind: 'switch', setBy: 'application', label },
  },
  defaults: { prefix: '?' },
});

function startDeclaring(folder: TemporaryFolder) {
  writeFileSync(folder.file('settings.json'), JSON.stringify(DECLARATION));
  return startService({ SETTINGS_FILE: folder.file('settings.json') });
}

const runImport = (cwd: string, args: readonly string[], env: NodeJS.ProcessEnv) =>
  startTransfer('import', [...args, '--json'], { env, cwd }).finished();

const linesOf = (path: string) => {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
};

test('a reserved setting that would change for a person is left out, and the others of its guild are imported', async () => {
  using folder = temporaryFolder();
  await using service = await startDeclaring(folder);
  const rows = [
    { guild: ONE, premium: true, xpRate: 50 },
    { guild: OTHER, premium: false, xpRate: 50 },
  ];
  writeFileSync(folder.file('rows.ndjson'), rows.map((row) => JSON.stringify(row)).join('\n'));
  const args = ['--from', 'ndjson:rows.ndjson', '--yes', '--on-behalf-of', '53908099506183680'];
  const { code, stdout } = await runImport(folder.path, args, service.env);
  expect(code).toBe(3);
  const reason = 'custom.premium: Only the application can change this setting.';
  const firstRejected = [{ guild: ONE, field: 'custom.premium', reason }];
  expect(JSON.parse(stdout)).toMatchObject({ changed: 2, rejected: 0, rejectedValues: 1, firstRejected });
  expect((await service.client.guilds.get.query({ guild: ONE })).custom).toMatchObject({ premium: false, xpRate: 50 });
});

test('line breaks of Windows are taken, @everyone is left out, and the summary says what was not checked', async () => {
  using folder = temporaryFolder();
  await using service = await startDeclaring(folder);
  const csv = [
    'server,welcomeMessage,autoRoles,logChannels,title',
    `${ONE},"a\r\nb",${CHANNEL} ${ONE},${CHANNEL},"a\r\nb"`,
  ];
  writeFileSync(folder.file('rows.csv'), `${csv.join('\r\n')}\r\n`.replace(`${CHANNEL} ${ONE}`, `"${CHANNEL},${ONE}"`));
  const args = ['--from', 'csv:rows.csv', '--guild', 'server', '--yes', '--rejects', 'rejects.ndjson'];
  const { code, stdout, stderr } = await startTransfer('import', args, {
    env: service.env,
    cwd: folder.path,
  }).finished();
  expect(code, stderr).toBe(3);
  expect(stdout).toContain(
    'Not checked in Discord: whether channels, roles, members and emoji exist (custom.logChannels)',
  );
  expect(linesOf(folder.file('rejects.ndjson'))).toMatchObject([
    { field: 'custom.title', reason: 'custom.title: expected one line, received a line break' },
    {
      field: 'custom.autoRoles',
      reason: expect.stringContaining('custom.autoRoles.1: expected a role other than @everyone'),
    },
  ]);
  expect((await service.client.guilds.get.query({ guild: ONE })).custom).toMatchObject({
    welcomeMessage: 'a\nb',
    autoRoles: [],
    logChannels: [CHANNEL],
  });
  const again = await runImport(folder.path, args, service.env);
  expect(JSON.parse(again.stdout)).toMatchObject({ changed: 0, notCheckedInDiscord: ['custom.logChannels'] });
});

test('an export has the declared settings in effect, as the service exports them, and another service takes them', async () => {
  using folder = temporaryFolder();
  await using from = await startDeclaring(folder);
  const client = createGuildSettingsClient({ url: from.url, token: from.token, settings: DECLARATION });
  await client.guilds.update.mutate({ guild: ONE, custom: { xpRate: 50, logChannels: [CHANNEL] } });
  await client.guilds.update.mutate({ guild: OTHER, prefix: '!' });
  await client.guilds.update.mutate({ guild: THIRD, beta: true, custom: { welcomeMessage: '', premium: true } });
  const exportFrom = async (env: NodeJS.ProcessEnv, file: string) => {
    const { code, stderr } = await startTransfer('export', ['--all', '--to', file], {
      env,
      cwd: folder.path,
    }).finished();
    expect(code, stderr).toBe(0);
    return linesOf(folder.file(file));
  };
  const documents = await exportFrom(from.env, 'all.ndjson');
  const exportedAt = expect.any(String);
  expect(documents.map(({ guild }) => guild)).toEqual([THIRD, ONE, OTHER]);
  for (const document of documents) {
    const single = await client.guilds.export.query({ guild: document.guild });
    expect(JSON.stringify(document.settings)).toBe(JSON.stringify(single.settings));
    expect(document).toEqual({ ...single, exportedAt });
  }

  await using to = await startDeclaring(folder);
  const args = ['--from', 'ndjson:all.ndjson', '--yes'];
  const { code, stdout, stderr } = await runImport(folder.path, args, to.env);
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ guilds: 3, changed: 3, unmapped: {} });
  const settingsOf = (all: typeof documents) => all.map(({ guild, settings }) => ({ guild, settings }));
  expect(settingsOf(await exportFrom(to.env, 'moved.ndjson'))).toEqual(settingsOf(documents));

  await using bare = await startService();
  const partly = await runImport(folder.path, args, bare.env);
  expect(JSON.parse(partly.stdout)).toMatchObject({ guilds: 3, unmapped: { 'settings.custom': 3 } });
});

test('a service without an operation for its declaration has the settings of the specification', async () => {
  using folder = temporaryFolder();
  await using service = await startService();
  await using before = await serveHttp((incoming, response) => {
    const { url = '', method, headers } = incoming;
    if (url.startsWith('/trpc/settings.get')) {
      const problem = new ProblemError('not-found').toProblem(url);
      const error = { message: problem.title, code: -32_004, data: { problem } };
      response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      return;
    }
    const forwarded = request(`${service.url}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(forwarded);
  });
  writeFileSync(folder.file('rows.ndjson'), JSON.stringify({ guild: ONE, prefix: '$', xpRate: 5 }));
  const env = { ...service.env, API_URL: before.url };
  const { code, stdout, stderr } = await runImport(folder.path, ['--from', 'ndjson:rows.ndjson', '--yes'], env);
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ changed: 1, unmapped: { xpRate: 1 } });

  const named = ['--from', 'ndjson:rows.ndjson', '--map', 'xpRate=xpRate', '--yes'];
  const refused = await runImport(folder.path, named, env);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(
    `(fields: ${Object.keys(GuildSettings.shape).join(', ')}) for --map, received "xpRate"`,
  );
});
