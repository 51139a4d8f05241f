import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { temporaryFolder } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import { startApi } from './api-process.ts';
import { bundleVersion } from './bundle.ts';
import { commandsOf } from './reader-commands.ts';
import { startReader } from './reader-process.ts';
import { folderOf, MADE } from './versions.ts';
import { environmentOf, GUILD, OTHER_GUILD, patch } from './world.ts';

/** The files of a published version, which are compressed: the service's database, its ledger of erasures, and the replica's copy. */
export const FILES = {
  service: 'guild-settings.db',
  erasures: 'guild-settings.db-erasures',
  replica: 'replica.db',
} as const;

/** The settings in the files of every published version. */
export const PUBLISHED_SETTINGS = {
  [GUILD]: { prefix: '?', language: 'ja', enabledFeatures: ['reminders'] },
  [OTHER_GUILD]: { prefix: '%', beta: true, announcement_channel: '197038439483310086' },
};

/** The file of a published version with its service: the api's package as it is deployed, without source maps. */
export const SERVICE = 'service.tar.gz';

const API = fileURLToPath(new URL('../../apps/api', import.meta.url));

/**
 * Writes a version as published: the service that was built, the reader, as the sources are now, and files that it and its service have
 * written.
 */
export async function publish(version: string, discord: DiscordSim): Promise<void> {
  const made = folderOf('published');
  await bundleVersion(made);
  const to = folderOf(version);
  cpSync(join(made, 'reader'), join(to, 'reader'), { recursive: true, errorOnExist: true, force: false });
  using files = temporaryFolder();
  await using api = await startApi(made, environmentOf(discord, files.file(FILES.service)));
  await using reader = startReader(to);
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

/** Unpacks the service of a published version where it finds better-sqlite3. Returns the folder of the version. */
export function unpackService(version: string): string {
  const folder = join(MADE, version);
  const to = join(folder, 'api');
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  execFileSync('tar', ['-xzf', join(folderOf(version), SERVICE), '-C', to]);
  return folder;
}

/** Copies a file of a published version. */
export function copyPublished(version: string, file: string, to: string): void {
  writeFileSync(to, gunzipSync(readFileSync(join(folderOf(version), `${file}.gz`))));
}
