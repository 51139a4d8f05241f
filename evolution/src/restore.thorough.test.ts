import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startWorld } from '@guild-settings/discord-sim/testing/world';
import { freePort, ResourceStack, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { startApi } from './api-process.ts';
import { startLoad } from './load.ts';
import { commandsOf } from './reader-commands.ts';
import { startReader } from './reader-process.ts';
import { byRevision, storedWrites } from './stored-writes.ts';
import { CURRENT, folderOf } from './versions.ts';
import { environmentOf } from './world.ts';

const BACK_UP = fileURLToPath(new URL('../../deploy/backup.sh', import.meta.url));
const PROGRAMS = fileURLToPath(new URL('../../apps/api/dist', import.meta.url));

test('a copy that is made under load has every write from before, and a replica follows when it is restored', async () => {
  await using resources = new ResourceStack();
  const discord = resources.use(await startWorld());
  const folder = resources.use(temporaryFolder());
  const PORT = String(await freePort());
  const start = (file: string) => startApi(folderOf(CURRENT), { ...environmentOf(discord, folder.file(file)), PORT });
  for (const name of ['program', 'backups', 'restored']) mkdirSync(folder.file(name));
  copyFileSync(BACK_UP, folder.file('program/backup.sh'));
  symlinkSync(PROGRAMS, folder.file('program/dist'));

  const before = resources.use(await start('api.db'));
  const reader = commandsOf(resources.use(startReader(folderOf(CURRENT))), before.url);
  await reader.openReplica(folder.file('replica.db'));
  const load = startLoad(before.url);
  await load.more();
  const acknowledged = load.acknowledged.length;
  await promisify(execFile)('sh', [folder.file('program/backup.sh'), folder.file('api.db'), folder.file('backups')]);
  await load.more();
  await load.stop();
  const writes = byRevision(load.acknowledged);
  await reader.reaches(writes.at(-1)?.revision ?? 0);
  await before.end('SIGTERM');

  const [copy = ''] = readdirSync(folder.file('backups')).filter((name) => name.endsWith('.db'));
  copyFileSync(folder.file(`backups/${copy}`), folder.file('restored/api.db'));
  copyFileSync(folder.file('backups/erasures'), folder.file('restored/api.db-erasures'));
  const restored = resources.use(await start('restored/api.db'));
  const { events } = await reader.watch();
  const last = events.at(-1)?.cursor.revision ?? 0;
  const [kept, lost] = [
    writes.filter(({ revision }) => revision <= last),
    writes.filter(({ revision }) => revision > last),
  ];
  expect(load.acknowledged.slice(0, acknowledged).filter((write) => lost.includes(write))).toEqual([]);
  expect(lost.length).toBeGreaterThan(0);
  expect(await storedWrites(restored.url, new Set(kept.map(({ guild }) => guild)))).toEqual(kept);

  const prefixes = new Map(writes.map(({ guild }) => [guild, '!']));
  for (const { guild, prefix } of kept) prefixes.set(guild, prefix);
  await waitUntil(async () => {
    const { settings } = await reader.replica(...prefixes.keys());
    return [...prefixes].every(([guild, prefix]) => settings[guild]?.prefix === prefix);
  });
});
