import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { startWorld } from '@guild-settings/discord-sim/testing/world';
import { temporaryFolder } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { commandsOf, environmentOf, patch, startApi, startReader } from './programs.ts';
import { bundleVersion, FILES, folderOf, PUBLISHED_SETTINGS, publishedVersions, SERVICE } from './versions.ts';

const API = fileURLToPath(new URL('../../../api', import.meta.url));

const PACKAGE_VERSION: string = JSON.parse(
  readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
).version;

const MAX_BYTES = 1_500_000;

if (process.env.PUBLISH_VERSION === '1') {
  const discord = await startWorld();
  await publish(PACKAGE_VERSION, discord);
  await discord.close();
}

test('the version of the packages is published', () => {
  expect(
    publishedVersions(),
    'PUBLISH_VERSION=1 npx --yes pnpm@12 --filter @guild-settings/torture test:all',
  ).toContain(PACKAGE_VERSION);
});

test.each(publishedVersions())('version %s has a service, a reader and files, in at most 1.5 MB', (version) => {
  const folder = folderOf(version);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(files).toEqual(
    expect.arrayContaining([SERVICE, 'reader/program/main.mjs', ...Object.values(FILES).map((file) => `${file}.gz`)]),
  );
  const bytes = files.map((file) => statSync(join(folder, file))).filter((stat) => stat.isFile());
  expect(bytes.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES);
});

/**
 * Writes a version as published: the service that was built, the reader, as the sources are now, and files that it and its service have
 * written.
 */
async function publish(version: string, discord: DiscordSim): Promise<void> {
  const made = folderOf('published');
  await bundleVersion(made);
  const to = folderOf(version);
  cpSync(join(made, 'reader'), join(to, 'reader'), { recursive: true, errorOnExist: true, force: false });
  using files = temporaryFolder();
  await using api = await startApi(made, environmentOf(discord, files.file(FILES.service)));
  await using reader = startReader(made);
  packService(join(to, SERVICE));
  let revision = 0;
  for (const [guild, settings] of Object.entries(PUBLISHED_SETTINGS)) {
    await patch(api.url, guild, { prefix: '$' });
    revision = await patch(api.url, guild, settings);
  }
  const commands = commandsOf(reader, api.url);
  await commands.openReplica(files.file(FILES.replica));
  await commands.reaches(revision);
  await commands.closeReplica();
  await api.end('SIGTERM');
  for (const file of [FILES.service, FILES.replica]) {
    // A copy of the file alone has everything.
    const database = new Database(files.file(file));
    database.pragma('journal_mode = DELETE');
    database.exec('VACUUM');
    database.close();
  }
  for (const file of Object.values(FILES)) {
    writeFileSync(join(to, `${file}.gz`), gzipSync(readFileSync(files.file(file))));
  }
}

/** Packs the files that the api's package.json lists. */
function packService(file: string): void {
  const { files } = JSON.parse(readFileSync(join(API, 'package.json'), 'utf8')) as {
    readonly files: readonly string[];
  };
  const packed = globSync(['package.json', ...files.filter((path) => !path.endsWith('.map'))], { cwd: API });
  execFileSync('tar', ['-czf', relative(API, file), ...packed.sort()], { cwd: API });
}
