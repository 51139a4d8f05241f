import { writeFileSync } from 'node:fs';
import { createGuildSettingsClient } from '@guild-settings/client';
import { exportOf } from '@guild-settings/contract';
import { temporaryFolder } from '@guild-settings/testing';
import { EVERY_KIND, LISTS, SAMPLES } from '@guild-settings/testing/every-kind';
import { expect, test } from 'vitest';
import { readTransferConfig } from '../src/config.ts';
import { Snapshot } from '../src/export/export-all.ts';
import { importInto, startService, type TestService } from './transfer-kit.ts';

const KINDS = Object.entries(SAMPLES);

/** Guilds in which each kind has the value at this position, and one with lists. */
const GUILDS = ['197038439483310080', '197038439483310081', '197038439483310082'] as const;
const [, , LISTED] = GUILDS;

async function documentsOf({ env }: TestService) {
  const { apiUrl: url, token } = readTransferConfig(env);
  const { signal } = new AbortController();
  using snapshot = await Snapshot.receive({ url, token, signal, onProgress: () => {} });
  return [...snapshot.guilds()].map(({ guild, revision }) => exportOf({ guild, revision, exportedAtMs: 0 }));
}

test('values of every kind are imported as page and chat read them, exported, and taken by another service as they are', async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('declaration.json'), JSON.stringify(EVERY_KIND));
  const env = { SETTINGS_FILE: folder.file('declaration.json') };
  await using from = await startService(env);
  const client = createGuildSettingsClient({ url: from.url, token: from.token });

  const inRow = (index: number) =>
    Object.fromEntries(KINDS.map(([name, { imported }]) => [name, imported[index]?.[0]] as const));
  const expected = (index: number) =>
    Object.fromEntries(
      KINDS.flatMap(([name, { imported }]) => (imported[index]?.[1] === undefined ? [] : [[name, imported[index][1]]])),
    );
  const rows = { [GUILDS[0]]: inRow(0), [GUILDS[1]]: inRow(1), [LISTED]: { ...inRow(2), ...LISTS } };
  writeFileSync(folder.file('rows.json'), JSON.stringify(rows));
  const { rejected } = await importInto(from, folder, ['--from', `json:${folder.file('rows.json')}`, '--yes']);
  const refusedIn = (index: number) =>
    KINDS.filter(([, { imported }]) => imported[index]?.[1] === undefined).map(([name]) => `custom.${name}`);
  const refused = GUILDS.flatMap((guild, index) => refusedIn(index).map((field) => ({ guild, field })));
  expect(rejected).toMatchObject({ rows: 0, values: refused.length });
  expect(rejected.first).toMatchObject(refused.slice(0, rejected.first.length));
  for (const [index, guild] of GUILDS.entries()) {
    const { custom } = (await client.guilds.get.query({ guild })) as { custom?: object };
    expect(custom).toMatchObject({ ...expected(index), ...(guild === LISTED && LISTS) });
  }

  const documents = await documentsOf(from);
  expect(documents).toHaveLength(GUILDS.length);
  writeFileSync(folder.file('all.ndjson'), documents.map((document) => JSON.stringify(document)).join('\n'));
  await using to = await startService(env);
  const args = ['--from', `ndjson:${folder.file('all.ndjson')}`, '--yes'];
  expect(await importInto(to, folder, args)).toMatchObject({ guilds: 3, rejected: { rows: 0, values: 0 } });
  const settingsOf = (all: typeof documents) => all.map(({ guild, settings }) => ({ guild, settings }));
  expect(settingsOf(await documentsOf(to))).toEqual(settingsOf(documents));
});
