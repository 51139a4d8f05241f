import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { SPECIFIED_SETTINGS } from '@guild-settings/contract';
import { temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { readTransferConfig } from '../src/config.ts';
import { openImporter } from '../src/import/importer.ts';
import { commandOf } from '../src/import/options.ts';
import { type ImportResult, runImport } from '../src/import/run-import.ts';
import { parseOptions, startService } from './transfer-kit.ts';

const GUILDS = ['197038439483310086', '613425648685547541'] as const;
const OPTIONS = { limits: { maxGuilds: 500, maxBytes: 1 << 20 }, signal: new AbortController().signal };
const askEmptyPrefix = () => Promise.reject(new Error('Expected no question'));
const PROGRESS = { update: () => {}, [Symbol.dispose]: () => {} };

test('the difference is confirmed before anything changes, and then only what differs is sent', async () => {
  using folder = temporaryFolder();
  await using service = await startService();
  const [one, other] = GUILDS;
  await service.client.guilds.update.mutate({ guild: other, prefix: '?' });
  writeFileSync(
    folder.file('rows.json'),
    JSON.stringify({ [one]: { prefix: '?', beta: 2 }, [other]: { prefix: '?' } }),
  );
  const importer = await openImporter({
    config: readTransferConfig(service.env),
    reason: undefined,
    onBehalfOf: '53908099506183680',
    signal: OPTIONS.signal,
    onWait: () => {},
  });
  const asking = commandOf(parseOptions(['--from', `json:${folder.file('rows.json')}`]), true);
  const command = { ...asking, rejects: folder.file('rejects.ndjson') };
  const asked: ImportResult[] = [];
  const shown: string[] = [];
  const run = (answer: boolean) =>
    runImport({
      command,
      importer,
      ...OPTIONS,
      askEmptyPrefix,
      showProgress(what, total) {
        shown.push(`${what} ${total}`);
        return PROGRESS;
      },
      async confirm(found) {
        asked.push(found);
        return answer;
      },
    });

  expect(await run(false)).toMatchObject({ outcome: 'declined', guilds: 2 });
  expect((await service.client.guilds.get.query({ guild: one })).prefix).toBe('!');
  expect(asked[0]?.difference.fields).toEqual({ prefix: { values: 2, changes: 1 } });
  expect(asked[0]?.difference.examples).toEqual([{ guild: one, field: 'prefix', from: '!', to: '?' }]);
  expect(readdirSync(folder.path)).toEqual(['rows.json']);

  shown.length = 0;
  expect(await run(true)).toMatchObject({ outcome: 'applied', difference: { changed: 1, unchanged: 0 } });
  expect(shown).toEqual(['Comparing 2', 'Importing 1']);
  const rejected = { place: `key "${one}"`, key: one, guild: one, field: 'beta', reason: expect.any(String), value: 2 };
  expect(JSON.parse(readFileSync(command.rejects, 'utf8'))).toEqual(rejected);
  const { entries } = await service.client.guilds.history.query({ guild: one });
  expect(entries).toMatchObject([{ origin: 'import', actor: { kind: 'user', id: '53908099506183680' } }]);

  expect(await run(true)).toMatchObject({ outcome: 'compared', difference: { changed: 0 } });
  expect(asked).toHaveLength(2);
});

test('one question decides what the empty prefixes of a file become', async () => {
  using folder = temporaryFolder();
  await using service = await startService();
  const [one, other] = GUILDS;
  writeFileSync(
    folder.file('rows.json'),
    JSON.stringify({ [one]: { prefix: '' }, [other]: { prefix: '', beta: true } }),
  );
  const importer = await openImporter({
    config: readTransferConfig(service.env),
    reason: undefined,
    onBehalfOf: undefined,
    signal: OPTIONS.signal,
    onWait: () => {},
  });
  const importAnswering = async (answer: 'default' | 'off') => {
    let questions = 0;
    const result = await runImport({
      command: commandOf(parseOptions(['--from', `json:${folder.file('rows.json')}`]), true),
      importer,
      ...OPTIONS,
      showProgress: () => PROGRESS,
      async askEmptyPrefix() {
        questions += 1;
        return answer;
      },
      confirm: async () => true,
    });
    expect(questions).toBe(1);
    return result;
  };
  const prefixOf = async (guild: string) => (await service.client.guilds.get.query({ guild })).prefix;

  expect(await importAnswering('default')).toMatchObject({ outcome: 'applied', guilds: 1, others: 1 });
  expect([await prefixOf(one), await prefixOf(other)]).toEqual(['!', '!']);
  expect(await importAnswering('off')).toMatchObject({ outcome: 'applied', guilds: 2, others: 0 });
  expect([await prefixOf(one), await prefixOf(other)]).toEqual(['', '']);
});

test('a file in which no row has a value is refused, without a call', async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('rows.json'), JSON.stringify({ [GUILDS[0]]: { prefix: '?' }, version: 1 }));
  const from = `json:${folder.file('rows.json')}`;
  const run = runImport({
    command: commandOf(parseOptions(['--from', from, '--map', 'prefix=prefx', '--yes']), false),
    importer: { declared: SPECIFIED_SETTINGS, send: () => Promise.reject(new Error('Expected no call')) },
    ...OPTIONS,
    askEmptyPrefix,
    showProgress: () => PROGRESS,
    confirm: async () => true,
  });
  await expect(run).rejects.toThrow(
    /^Expected rows with keys such as \{guild\} \(--key\) and a value at prefx \(--map\) in .*, received 2 other rows, such as 197038439483310086, version\. The rows of guilds have: prefix \(1 row\)\.$/,
  );
});

test('a rate limit is waited for as long as the service requests, and a signal ends the wait', async () => {
  await using service = await startService({ RATE_LIMIT_PER_MINUTE: '2' });
  const stop = new AbortController();
  const waits: { seconds: number; reason: string }[] = [];
  const importer = await openImporter({
    config: readTransferConfig(service.env),
    reason: undefined,
    onBehalfOf: undefined,
    signal: stop.signal,
    onWait(seconds, reason) {
      waits.push({ seconds, reason });
      stop.abort(new Error('enough'));
    },
  });
  const guilds = [{ guild: GUILDS[0], settings: { prefix: '?' } }];
  const [first] = await importer.send(guilds, false);
  expect(first).toEqual({ guild: GUILDS[0], changes: { prefix: { from: '!', to: '?' } } });
  expect(await importer.send(guilds, false)).toMatchObject([{ changes: {} }]);
  await expect(importer.send(guilds, false)).rejects.toThrow('enough');
  expect(waits).toEqual([{ seconds: expect.any(Number), reason: expect.stringContaining('Too many requests') }]);
  // Longer than the client itself waits.
  expect(waits[0]?.seconds).toBeGreaterThan(10);
});
