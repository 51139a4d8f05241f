import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { watch } from '@guild-settings/client';
import { startTcpProxy, temporaryFolder, unreachableUrl, waitUntil } from '@guild-settings/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, startTransfer, type TestService, writeEnmap, writeKeyv } from './transfer-kit.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

let taken = 0;

/** Returns ids of guilds that other tests do not use. */
function newGuilds(count: number): string[] {
  const first = 300_000_000_000_000_000n + BigInt(taken);
  taken += count;
  return Array.from({ length: count }, (_, index) => String(first + BigInt(index)));
}

const runImport = (cwd: string, args: readonly string[], env = service.env) =>
  startTransfer('import', args, { env, cwd }).finished();

const prefixOf = async (guild: string) => (await service.client.guilds.get.query({ guild })).prefix;
const historyOf = async (guild: string) => (await service.client.guilds.history.query({ guild })).entries;

function writeLines(path: string, guilds: readonly string[], prefix: string): void {
  writeFileSync(path, guilds.map((guild) => `${JSON.stringify({ guild, prefix })}\n`).join(''));
}

describe('an import', () => {
  test('that cannot write what it could not take names the file, in one line', async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file('bad.ndjson'), 'no JSON\n');
    const args = ['--from', 'ndjson:bad.ndjson', '--yes', '--rejects', 'bad.ndjson/rejects.ndjson'];
    const { code, stderr } = await runImport(folder.path, args);
    expect(code).toBe(1);
    expect(stderr.trim()).toMatch(
      /^Expected to write .* to .*bad\.ndjson\/rejects\.ndjson: .*\. Name another file with --rejects\.$/,
    );
  });

  test('changes what differs, names what it cannot take, and changes nothing when it is run again', async () => {
    using folder = temporaryFolder();
    const [one = '', two = '', same = '', flawed = ''] = newGuilds(4);
    const modules = { reminders: true, xp: false };
    const roles = ['381870553235193857'];
    const values = {
      [one]: { p: '?', i18n: { lang: 'Japanese', zone: 'Asia/Tokyo' }, modules, log: '<#381870553235193857>', roles },
      [two]: { p: '$', i18n: { lang: 'es', zone: 'Europe/Madrid' }, premium: 'on' },
      [same]: { p: '!' },
      [flawed]: { p: 'p'.repeat(30), i18n: { lang: 'Klingon' }, log: '<#381870553235193857>' },
      version: 3,
    };
    await writeKeyv(folder.file('bot.sqlite'), values);
    const map = 'prefix=p,language=i18n.lang,enabledFeatures=modules,announcement_channel=log,beta=premium';
    const args = ['--from', 'keyv:bot.sqlite', '--map', map, '--yes', '--json', '--reason', 'we move in'];
    const first = await runImport(folder.path, args);
    expect(first, first.stderr).toMatchObject({ code: 3 });
    const result = JSON.parse(first.stdout);
    expect(result).toMatchObject({ outcome: 'applied', rows: 5, guilds: 4, otherRows: 1 });
    expect(result).toMatchObject({ changed: 3, unchanged: 1, rejected: 0, rejectedValues: 2 });
    expect(result.unmapped).toEqual({ 'i18n.zone': 2, roles: 1 });
    expect(result.fields).toEqual({
      prefix: { values: 3, changes: 2 },
      announcement_channel: { values: 2, changes: 2 },
      beta: { values: 1, changes: 1 },
      language: { values: 2, changes: 2 },
      enabledFeatures: { values: 1, changes: 1 },
    });
    expect(await service.client.guilds.get.query({ guild: one })).toMatchObject({
      prefix: '?',
      announcement_channel: '381870553235193857',
      beta: false,
      language: 'ja',
      enabledFeatures: ['reminders'],
    });
    const changes = { prefix: { from: '!', to: '$' } };
    const entry = { origin: 'import', reason: 'we move in', actor: { kind: 'application' }, changes };
    expect(await historyOf(two)).toMatchObject([entry]);
    const row = { place: `key "keyv:${flawed}"`, key: `keyv:${flawed}`, guild: flawed };
    const rejected = [
      { ...row, field: 'prefix', reason: 'prefix: expected at most 20 characters, received 30' },
      { ...row, field: 'language', reason: expect.stringMatching(/^language: expected one of .*"Klingon"$/) },
    ];
    expect(result.firstRejected).toEqual(rejected);
    const lines = linesOf(result.rejects);
    expect(lines).toMatchObject(rejected);
    expect(lines.map(({ value }) => value)).toEqual(['p'.repeat(30), 'Klingon']);
    expect(await service.client.guilds.get.query({ guild: flawed })).toMatchObject({
      prefix: '!',
      announcement_channel: '381870553235193857',
    });
    expect(statSync(result.rejects).mode & 0o777).toBe(0o600);
    expect(result.rejects).toContain(join(folder.path, 'data/import-rejected-'));

    const again = await runImport(folder.path, args);
    expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'applied', changed: 0, unchanged: 4, rejectedValues: 2 });
    expect(await historyOf(one)).toHaveLength(1);
    expect(await historyOf(same)).toHaveLength(0);
  });

  test('takes no value of a row with a bad one with --strict', async () => {
    using folder = temporaryFolder();
    const [good = '', bad = ''] = newGuilds(2);
    const rows = [
      { guild: good, prefix: '?' },
      { guild: bad, prefix: '?', beta: 'maybe', language: 'de' },
    ];
    writeFileSync(folder.file('rows.ndjson'), rows.map((row) => JSON.stringify(row)).join('\n'));
    const args = ['--from', 'ndjson:rows.ndjson', '--yes', '--json', '--strict', '--rejects', 'rejects.ndjson'];
    const { code, stdout } = await runImport(folder.path, args);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ guilds: 1, rejected: 1, rejectedValues: 0 });
    const reason = expect.stringMatching(/^beta: .*"maybe"; language: .*"de"$/);
    expect(linesOf(folder.file('rejects.ndjson'))).toEqual([{ place: 'line 2', guild: bad, reason, value: rows[1] }]);
    expect(await prefixOf(bad)).toBe('!');
  });

  test('takes the first of two values of a guild that contradict each other, and the rest of both rows', async () => {
    using folder = temporaryFolder();
    const [guild = ''] = newGuilds(1);
    const rows = [
      { guild, prefix: '?' },
      { guild, prefix: '$', beta: true },
    ];
    writeFileSync(folder.file('rows.ndjson'), rows.map((row) => JSON.stringify(row)).join('\n'));
    const { stdout } = await runImport(folder.path, ['--from', 'ndjson:rows.ndjson', '--yes', '--json']);
    expect(JSON.parse(stdout).firstRejected).toMatchObject([{ place: 'line 2', guild, field: 'prefix' }]);
    expect(await service.client.guilds.get.query({ guild })).toMatchObject({ prefix: '?', beta: true });
  });

  test('without a terminal refuses an empty prefix, and names the option that decides', async () => {
    using folder = temporaryFolder();
    const [guild = ''] = newGuilds(1);
    writeLines(folder.file('rows.ndjson'), [guild], '');
    const args = ['--from', 'ndjson:rows.ndjson', '--yes'];
    const { code, stdout } = await runImport(folder.path, args);
    expect(code).toBe(3);
    expect(stdout).toContain(`line 1, guild ${guild}: prefix: expected --empty-prefix default or --empty-prefix off `);
    expect(await runImport(folder.path, [...args, '--empty-prefix', 'off'])).toMatchObject({ code: 0 });
    expect(await prefixOf(guild)).toBe('');
  });

  test('names what it would not take in a preview, and writes no file unless one is named', async () => {
    using folder = temporaryFolder();
    const guilds = newGuilds(12);
    // In WAL mode, like Enmap: SQLite creates files beside it while it is read.
    writeEnmap(folder.path, 'settings', Object.fromEntries(guilds.map((guild) => [guild, { beta: 'perhaps' }])));
    const before = readdirSync(folder.path);
    const args = ['--from', 'enmap:enmap.sqlite', '--table', 'settings', '--dry-run'];
    const { code, stdout } = await runImport(folder.path, args);
    expect(code).toBe(3);
    expect(stdout).toContain('Rejected: 12 values (--rejects FILE lists them; --value ');
    expect(stdout).toMatch(new RegExp(`^  key "${guilds[0]}": beta: .*, received "perhaps"$`, 'm'));
    expect(stdout).toContain('\n  and 2 more\n');
    expect(readdirSync(folder.path)).toEqual(before);
    await runImport(folder.path, [...args, '--rejects', 'rejects.ndjson']);
    expect(linesOf(folder.file('rejects.ndjson'))).toHaveLength(12);
  });

  test('shows the difference as tables with --dry-run, and changes nothing', async () => {
    using folder = temporaryFolder();
    const [one = '', two = ''] = newGuilds(2);
    writeFileSync(folder.file('guilds.csv'), `server,pre,lang,xp,log\n${one},?,en,5,\n${two},,ru,7,general\n`);
    const map = ['--map', 'prefix=pre', '--map', 'language=lang'];
    const args = ['--from', 'csv:guilds.csv', '--guild', 'server', ...map, '--dry-run'];
    const { code, stdout } = await runImport(folder.path, args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/prefix +│ +1 +│ +1 /);
    expect(stdout).toMatch(/language +│ +2 +│ +1 /);
    expect(stdout).toMatch(new RegExp(`${one} +│ prefix +│ "!" +│ "\\?"`));
    expect(stdout).toContain('\nNot imported: xp (2 rows), log (1 row)\n');
    expect(stdout).toContain('Guilds that would change: 2, already as in the file: 0\nDry run: nothing was changed.');
    expect(await prefixOf(one)).toBe('!');
    expect(await historyOf(two)).toEqual([]);
  });

  test('with a wrong address or secret names what to check, and shows no secret and no stack', async () => {
    using folder = temporaryFolder();
    writeLines(folder.file('rows.ndjson'), newGuilds(1), '?');
    const stderrWith = async (env: NodeJS.ProcessEnv) => {
      const args = ['--from', 'ndjson:rows.ndjson', '--yes'];
      const { code, stderr } = await runImport(folder.path, args, { ...service.env, ...env });
      expect(code).toBe(1);
      return stderr;
    };
    expect(await stderrWith({ API_URL: service.env.DISCORD_API_URL })).toMatch(
      /^Expected a response from the settings service, received another one: .*\. Check API_URL\.$/m,
    );
    const stderr = await stderrWith({ DISCORD_CLIENT_SECRET: 'a-wrong-client-secret' });
    expect(stderr).toMatch(/^Discord issued no token .*Check DISCORD_APPLICATION_ID and DISCORD_CLIENT_SECRET\.$/m);
    expect(stderr).not.toMatch(/wrong-client-secret|\n {4}at /);
  });
});

describe('an import of many guilds', () => {
  const MANY = 4_500;

  test('that SIGINT and then SIGKILL interrupt is completed by the same command', async () => {
    using folder = temporaryFolder();
    const guilds = newGuilds(MANY);
    writeLines(folder.file('rows.ndjson'), guilds, '?');
    const args = ['--from', 'ndjson:rows.ndjson', '--yes', '--json'];
    await using proxy = await startTcpProxy(Number(new URL(service.url).port));
    proxy.delay(100);
    const interruptAt = async (index: number, signal: NodeJS.Signals) => {
      const program = startTransfer('import', args, { env: { ...service.env, API_URL: proxy.url }, cwd: folder.path });
      await waitUntil(async () => (await prefixOf(guilds[index] ?? '')) === '?', { intervalMs: 25 });
      program.signal(signal);
      const interrupted = await program.finished();
      expect(await prefixOf(guilds.at(-1) ?? '')).toBe('!');
      return interrupted;
    };

    // A guild of the third call, which is sent when one of the first two has been answered.
    const stopped = await interruptAt(1_000, 'SIGINT');
    expect(stopped).toMatchObject({ code: 130, stdout: '' });
    expect(stopped.stderr).toMatch(/^Interrupted by SIGINT\n[1-9][\d,]* of 4,500 guilds were sent to the service\. /m);
    expect(await interruptAt(2_500, 'SIGKILL')).toMatchObject({ signal: 'SIGKILL', stdout: '' });
    const { stdout } = await runImport(folder.path, args);
    const { changed, unchanged } = JSON.parse(stdout);
    expect(changed + unchanged).toBe(MANY);
    expect(unchanged).toBeGreaterThan(2_000);
    expect(await prefixOf(guilds.at(-1) ?? '')).toBe('?');
    expect(await historyOf(guilds[0] ?? '')).toHaveLength(1);
  });

  test('ends after some waits, with what to check, where Discord was not reached before anything is sent', async () => {
    using folder = temporaryFolder();
    writeLines(folder.file('rows.ndjson'), newGuilds(1), '?');
    const env = { ...service.env, DISCORD_API_URL: await unreachableUrl() };
    const { code, stderr } = await runImport(folder.path, ['--from', 'ndjson:rows.ndjson', '--yes'], env);
    const why = 'The request for a token did not reach Discord: ECONNREFUSED. Check DISCORD_API_URL';
    const lines = stderr.trim().split('\n');
    const waits = lines.filter((line) => line.startsWith('Waiting for '));
    const seconds = waits.map((line) => Number(/\d+/.exec(line)?.[0])).reduce((sum, one) => sum + one, 0);
    expect({ code, waits }).toMatchObject({ code: 1, waits: waits.map(() => expect.stringContaining(why)) });
    // Long enough for a service that is starting. Each is rounded up.
    expect(seconds).toBeGreaterThanOrEqual(14);
    expect(seconds).toBeLessThanOrEqual(15 + waits.length);
    expect(lines.at(-1)).toMatch(new RegExp(`^${why}`));
  });

  test('goes on when connections are cut and responses are lost, and changes each guild once', async () => {
    using folder = temporaryFolder();
    const guilds = newGuilds(1_000);
    writeLines(folder.file('rows.ndjson'), guilds, '?');
    await using proxy = await startTcpProxy(Number(new URL(service.url).port));
    proxy.loseResponses({ text: 'guilds.importMany' }, { count: 2 });
    const env = { ...service.env, API_URL: proxy.url };
    const args = ['--from', 'ndjson:rows.ndjson', '--yes', '--json'];
    const { code, stderr, stdout } = await runImport(folder.path, args, env);
    expect(code, stderr).toBe(0);
    expect(proxy.lostResponses).toBe(2);
    expect(stderr).toMatch(/^Waiting for \d+ s: Connection lost before the response\b/m);
    expect(JSON.parse(stdout)).toMatchObject({ guilds: 1_000, rejected: 0 });
    for (const guild of [guilds[0], guilds[999]]) expect(await historyOf(guild ?? '')).toHaveLength(1);
  });

  test('keeps changes live: a watch receives them while it goes on', async () => {
    using folder = temporaryFolder();
    const [guild = '', ...guilds] = newGuilds(10_001);
    writeLines(folder.file('rows.ndjson'), guilds, '?');
    const stop = new AbortController();
    let seen = '';
    const watching = (async () => {
      for await (const { event } of watch({ url: service.url, token: service.token, signal: stop.signal })) {
        const changed = event.type === 'guild' ? [event] : event.type === 'guilds' ? event.guilds : [];
        seen = changed.findLast((one) => one.guild.id === guild)?.guild.prefix ?? seen;
      }
    })();
    const args = ['--from', 'ndjson:rows.ndjson', '--yes'];
    const program = startTransfer('import', args, { env: service.env, cwd: folder.path });
    await waitUntil(async () => (await prefixOf(guilds[0] ?? '')) === '?', { intervalMs: 25 });
    let received = 0;
    for (; program.isRunning(); received++) {
      await service.client.guilds.update.mutate({ guild, prefix: `${received}` });
      await waitUntil(() => seen === `${received}`);
    }
    expect(received).toBeGreaterThan(3);
    expect(await program.finished()).toMatchObject({ code: 0 });
    stop.abort();
    await watching;
  });
});

const linesOf = (path: string) => {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
};
