import { closeSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { GuildExport } from '@guild-settings/contract';
import { temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { startService, startTransfer } from './transfer-kit.ts';

const GUILDS = ['197038439483310086', '613425648685547541', '41771983423143937'] as const;
const [ONE, OTHER, ABSENT] = GUILDS;

test('an export is a document for each guild, and an import of it makes another service the same', async () => {
  using folder = temporaryFolder();
  await using from = await startService();
  await from.client.guilds.update.mutate({ guild: ONE, prefix: '?', announcement_channel: 'general', language: 'hi' });
  await from.client.guilds.update.mutate({ guild: OTHER, beta: true, enabledFeatures: ['reminders', 'x'] });
  await from.client.guilds.update.mutate({ guild: ABSENT, prefix: '#' });
  const exportFrom = async (env: NodeJS.ProcessEnv, file: string) => {
    const exported = await startTransfer('export', ['--all', '--to', file, '--json'], {
      env,
      cwd: folder.path,
    }).finished();
    expect(exported, exported.stderr).toMatchObject({ code: 0 });
    const documents = readFileSync(folder.file(file), 'utf8').trimEnd().split('\n');
    expect(JSON.parse(exported.stdout)).toEqual({ guilds: documents.length, to: folder.file(file) });
    return documents.map((line) => GuildExport.parse(JSON.parse(line)));
  };
  const documents = await exportFrom(from.env, 'all.ndjson');
  expect(documents.map(({ guild, revision }) => [guild, revision])).toEqual([
    [ONE, 1],
    [ABSENT, 3],
    [OTHER, 2],
  ]);
  expect(statSync(folder.file('all.ndjson')).mode & 0o777).toBe(0o600);

  await using to = await startService();
  // A bot of the other service that is in two of the guilds.
  const present = [ONE, OTHER].map((id) => ({ id, name: `Guild ${id}`, icon: null }));
  await to.client.presence.report.mutate({ type: 'snapshot', shard: { id: 0, count: 1 }, guilds: present });
  const args = ['--from', 'ndjson:all.ndjson', '--yes', '--json', '--rejects', 'absent.ndjson'];
  const imported = await startTransfer('import', args, { env: to.env, cwd: folder.path }).finished();
  expect(imported, imported.stderr).toMatchObject({ code: 3 });
  expect(JSON.parse(imported.stdout)).toMatchObject({ guilds: 3, changed: 2, rejected: 1, unmapped: {} });
  expect(JSON.parse(readFileSync(folder.file('absent.ndjson'), 'utf8'))).toEqual({
    place: 'line 2',
    guild: ABSENT,
    reason: 'The bot is not a member of this guild. Invite it, then try again.',
    value: documents[1]?.settings,
  });
  const settingsOf = (all: readonly GuildExport[]) => all.map(({ guild, settings }) => ({ guild, settings }));
  const moved = await exportFrom(to.env, 'moved.ndjson');
  expect(settingsOf(moved)).toEqual(settingsOf(documents).filter(({ guild }) => guild !== ABSENT));
});

test('an export overwrites no file, and one to a full device is explained in one line', async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('all.ndjson'), 'of yesterday');
  await using service = await startService();
  const { env, client } = service;
  await client.guilds.update.mutate({ guild: ONE, prefix: '?' });
  const args = ['--all', '--to', 'all.ndjson'];
  const refused = await startTransfer('export', args, { env, cwd: folder.path }).finished();
  const stderrOfRefusal = expect.stringMatching(/^Expected to write a new file at .*all\.ndjson: EEXIST/);
  expect(refused).toMatchObject({ code: 1, stderr: stderrOfRefusal });
  expect(readFileSync(folder.file('all.ndjson'), 'utf8')).toBe('of yesterday');

  using full = openFull();
  const { code, stderr } = await startTransfer('export', ['--all'], {
    env,
    cwd: folder.path,
    stdout: full.descriptor,
  }).finished();
  expect(code, stderr).toBe(1);
  expect(stderr.trim()).toMatch(
    /^Expected to write to standard output: ENOSPC.*\. Name a new file with --to, where there is room\.$/,
  );
});

/** Opens the device that is always full. */
function openFull() {
  const descriptor = openSync('/dev/full', 'w');
  return { descriptor, [Symbol.dispose]: () => closeSync(descriptor) };
}
