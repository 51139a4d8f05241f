import { ImportedGuilds, type ImportOutcome, type ImportRow } from '@guild-settings/contract';
import { startTestPostgres, waitUntil } from '@guild-settings/testing';
import { problemIn, revisionTagIn, startApi, type TestApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { migratedDatabase, readChanges } from '@guild-settings/testing/stores';
import { openWatch } from '@guild-settings/testing/streams';
import { afterAll, describe, expect } from 'vitest';

const idOf = (index: number) => String(200_000_000_000_000_000n + BigInt(index) * 7_919_000_003n);

const send = (api: TestApi, guilds: readonly unknown[], query = '', token = api.tokens.application) =>
  api.send(`/imports${query}`, { method: 'POST', token, body: { guilds } });

async function outcomesOf(response: Response) {
  return ImportedGuilds.parse(await response.json()).guilds;
}

const ROWS_A_CALL = 500;

/** A row in twenty is bad, in one of these ways. */
const BAD: readonly ((id: string) => unknown)[] = [
  (guild) => ({ guild, settings: { beta: 'no', colour: 'red' } }),
  (guild) => ({ guild, settings: 'none' }),
  (guild) => ({ guild: `${guild}0000`, settings: {} }),
  () => ({ settings: { prefix: '?' } }),
  () => null,
];

function rowOf(index: number): unknown {
  const guild = idOf(index);
  if (index % 20 === 7) return BAD[Math.floor(index / 20) % BAD.length]?.(guild);
  return { guild, settings: { prefix: `${index % 10}`, language: 'ja', enabledFeatures: [`f${index % 3}`] } };
}

const isGood = (index: number) => index % 20 !== 7;

/**
 * Imports the rows in calls of {@link ROWS_A_CALL}, without the check against the document, which takes longer than the
 * import.
 */
async function importAll(api: TestApi, rows: number, query = ''): Promise<ImportOutcome[]> {
  const headers = { authorization: `Bearer ${api.tokens.application}`, 'content-type': 'application/json' };
  const calls = Array.from({ length: rows / ROWS_A_CALL }, async (_, call) => {
    const guilds = Array.from({ length: ROWS_A_CALL }, (_row, row) => rowOf(call * ROWS_A_CALL + row));
    const body = JSON.stringify({ guilds });
    const response = await fetch(`${api.url}/imports${query}`, { method: 'POST', headers, body });
    expect(response.status).toBe(200);
    return ((await response.json()) as ImportedGuilds).guilds;
  });
  return (await Promise.all(calls)).flat();
}

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

describe.each([
  { store: 'SQLite', rows: 2_500, env: async () => ({}) },
  { store: 'PostgreSQL', rows: 1_000, env: async () => ({ DATABASE_URL: await migratedDatabase(server) }) },
])('an import into $store', ({ rows, env }) => {
  test(`of ${rows} guilds refuses the bad rows alone, changes the others once, and changes none again`, async () => {
    await using api = await startApi({ ...(await env()), LOG_LEVEL: 'error' });
    await api.patch(
      idOf(0),
      { prefix: '0', language: 'ja', enabledFeatures: ['f0'] },
      { token: api.tokens.application },
    );

    const previewed = await importAll(api, rows, '?dry_run=true');
    expect(await revisionOf(api, idOf(1))).toBe('"0"');

    const outcomes = await importAll(api, rows);
    expect(outcomes).toEqual(previewed);
    const changed = outcomes.filter((outcome) => 'changes' in outcome && Object.keys(outcome.changes).length > 0);
    const refused = outcomes.flatMap((outcome, index) => ('problem' in outcome ? [index] : []));
    expect(refused).toEqual(Array.from({ length: rows }, (_, index) => index).filter((index) => !isGood(index)));
    expect(changed).toHaveLength(rows - refused.length - 1);
    expect(outcomes[0]).toEqual({ guild: idOf(0), changes: {} });
    expect(outcomes[1]).toEqual({
      guild: idOf(1),
      changes: {
        prefix: { from: '!', to: '1' },
        language: { from: 'en-US', to: 'ja' },
        enabledFeatures: { from: [], to: ['f1'] },
      },
    });
    expect(outcomes[7]).toMatchObject({
      guild: idOf(7),
      problem: {
        type: '/problems/invalid-request',
        issues: [{ pointer: '/settings/beta' }, { pointer: '/settings/colour' }],
      },
    });
    expect(outcomes[67]).toMatchObject({ guild: null, problem: { issues: [{ pointer: '/guild' }] } });

    const again = await importAll(api, rows);
    expect(again.filter((outcome) => 'changes' in outcome && Object.keys(outcome.changes).length > 0)).toEqual([]);
    const next = await api.patch(idOf(1), { beta: true }, { token: api.tokens.application });
    expect(revisionTagIn(next)).toBe(`"${1 + changed.length + 1}"`);
  });
});

async function revisionOf(api: TestApi, id: string) {
  return (await api.get(id, { token: api.tokens.application })).headers.get('etag');
}

describe('an import into many guilds', () => {
  test('is a change of each guild, with origin, reason, and the person acted for', async ({ api }) => {
    const rows: ImportRow[] = [idOf(1), idOf(2)].map((guild) => ({ guild, settings: { prefix: '?' } }));
    const headers = { 'x-audit-log-reason': 'moved', 'x-on-behalf-of': IDS.plain };
    const body = { guilds: rows };
    await api.send('/imports', { method: 'POST', token: api.tokens.application, body, headers });
    const change = { actor_id: IDS.plain, origin: 'import', reason: 'moved', after: { prefix: '?' } };
    expect(readChanges(api)).toMatchObject([
      { ...change, guild_id: idOf(1), revision: 1 },
      { ...change, guild_id: idOf(2), revision: 2 },
    ]);
  });

  test('refuses guilds that the bot is not in, one by one', async ({ api }) => {
    const guilds = [{ id: idOf(1), name: 'n', icon: null }];
    await api.report({ type: 'snapshot', shard: { id: 0, count: 1 }, guilds });
    const outcomes = await outcomesOf(await send(api, [rowOf(1), rowOf(2)]));
    expect(outcomes).toMatchObject([
      { guild: idOf(1), changes: { prefix: { to: '1' } } },
      { guild: idOf(2), problem: { type: '/problems/bot-absent', status: 404 } },
    ]);
  });

  test('refuses guilds whose change log is full for today, one by one', async () => {
    await using api = await startApi({ CHANGE_LOG_BYTES_PER_DAY: '1000' });
    const large = {
      guild: idOf(1),
      settings: { enabledFeatures: Array.from({ length: 64 }, (_, n) => `feature ${n}`) },
    };
    const [full, changed] = await outcomesOf(await send(api, [large, rowOf(2)]));
    expect(full).toMatchObject({ problem: { type: '/problems/change-log-full', status: 429 } });
    expect(changed).toMatchObject({ changes: { prefix: { to: '2' } } });
  });

  test('sets a guild that it names twice in the order of the rows', async ({ api }) => {
    const rows = ['1', '2'].map((prefix) => ({ guild: idOf(1), settings: { prefix } }));
    const outcomes = await outcomesOf(await send(api, rows));
    expect(outcomes).toMatchObject([
      { changes: { prefix: { from: '!', to: '1' } } },
      { changes: { prefix: { from: '1', to: '2' } } },
    ]);
  });

  test('lets a change of another guild in, and its event to the watchers, before it is complete', async () => {
    await using api = await startApi({ LOG_LEVEL: 'error' });
    const watch = await openWatch(api.url, api.tokens.application);
    await waitUntil(() => watch.events.some(({ type }) => type === 'live'), { message: 'the watch' });
    // Discord is in this process and would wait for the import as well; it would check the token otherwise.
    expect((await api.get(IDS.guild)).status).toBe(200);
    let isComplete = false;
    const importing = importAll(api, 5_000).finally(() => {
      isComplete = true;
    });
    await waitUntil(() => watch.events.some(({ type }) => type === 'guilds'), { message: 'the first imported guilds' });
    expect((await api.patch(IDS.guild, { beta: true })).status).toBe(200);
    await waitUntil(() => JSON.stringify(watch.events).includes(IDS.guild), { message: 'the change' });
    expect(isComplete).toBe(false);
    await importing;
    watch.close();
  });

  test('is for the application, has at most 500 rows, and no precondition', async ({ api }) => {
    expect((await send(api, [], '', api.tokens.owner)).status).toBe(403);
    const rows = Array.from({ length: 501 }, (_, index) => rowOf(index));
    expect(await problemIn(await send(api, rows))).toMatchObject({
      status: 400,
      issues: [{ pointer: '/guilds', message: 'expected at most 500 guilds' }],
    });
    const conditional = await api.send('/imports', {
      method: 'POST',
      token: api.tokens.application,
      body: { guilds: [rowOf(1)] },
      headers: { 'if-match': '"0"' },
    });
    expect(conditional.status).toBe(400);
    expect(readChanges(api)).toEqual([]);
  });
});
