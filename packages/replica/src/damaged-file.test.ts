import { closeSync, openSync, readdirSync, readFileSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { temporaryFile, waitUntil } from '@guild-settings/testing';
import { eventsOf, followedReplica } from '@guild-settings/testing/replica';
import Database from 'better-sqlite3';
import { describe, expect, test, vi } from 'vitest';
import { DamagedFileError } from './damaged-file.ts';
import { openReplica } from './open-replica.ts';

const GUILDS = Array.from({ length: 300 }, (_, n) => String(197_038_439_483_310_000n + BigInt(n)));
const [FIRST = ''] = GUILDS;
const LAST = GUILDS.at(-1) ?? '';

const { reset, guilds, live } = eventsOf('one');
const all = (prefix: string) => guilds(...GUILDS.map((id, n) => [id, n + 1, prefix] as const));

async function writeReplica(path: string): Promise<void> {
  await using replica = await followedReplica({ path });
  await replica.send(reset, all('?'), live(300));
}

/** Overwrites the second half of the pages of a table or an index. */
function damagePages(path: string, name: string): void {
  const db = new Database(path, { readonly: true });
  const pages = db
    .prepare<[string], number>('SELECT pageno FROM dbstat WHERE name = ? ORDER BY path')
    .pluck()
    .all(name);
  const bytes = db.pragma('page_size', { simple: true }) as number;
  db.close();
  const file = openSync(path, 'r+');
  const damaged = pages.slice(Math.floor(pages.length / 2));
  for (const page of damaged) writeSync(file, Buffer.alloc(bytes, 0xa5), 0, bytes, (page - 1) * bytes);
  closeSync(file);
}

const DAMAGES: [string, (path: string) => void][] = [
  ['of other bytes', (path) => writeFileSync(path, 'x'.repeat(5_000))],
  [
    'that begins with other bytes',
    (path) => writeFileSync(path, Buffer.concat([Buffer.alloc(200, 7), readFileSync(path).subarray(200)])),
  ],
  ['cut to its half', (path) => truncateSync(path, readFileSync(path).length / 2)],
  ['with damaged pages of the index', (path) => damagePages(path, 'sqlite_autoindex_records_1')],
  ['with a damaged position', (path) => damagePages(path, 'position')],
];

const movedIn = (path: string) =>
  readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}-damaged-`));

describe('a file', () => {
  test.each(DAMAGES)('%s is moved aside, with one line that names where to, and fetched again', async (_, damage) => {
    using file = temporaryFile();
    await writeReplica(file.path);
    damage(file.path);
    writeFileSync(`${file.path}-wal`, 'the log of before');
    const bytes = readFileSync(file.path);
    const onReplaced = vi.fn();
    await using replica = await followedReplica({ path: file.path, onReplaced });
    const [movedTo] = onReplaced.mock.calls[0] as [string];
    expect(onReplaced).toHaveBeenCalledOnce();
    expect(readFileSync(movedTo)).toEqual(bytes);
    expect(movedIn(file.path)).toContain(basename(movedTo));
    await replica.send(reset, all('!!'), live(300));
    expect(GUILDS.map((id) => replica.replica.get(id).prefix)).toEqual(GUILDS.map(() => '!!'));
    expect(replica.cursors).toEqual([undefined]);
  });

  test.each(DAMAGES)(
    '%s is left as it is where it has other tables, and the error says what to do',
    async (_, damage) => {
      using file = temporaryFile();
      await writeReplica(file.path);
      damage(file.path);
      const bytes = readFileSync(file.path);
      const open = () =>
        openReplica({ apiUrl: 'http://127.0.0.1:9', credentials: 'token', path: file.path, damagedFile: 'throw' });
      expect(open).toThrow(DamagedFileError);
      expect(open).toThrow(`The file ${file.path} is damaged: `);
      expect(readFileSync(file.path)).toEqual(bytes);
      expect(movedIn(file.path)).toEqual([]);
    },
  );
});

test('a replica without a log names on standard error where a damaged file is', async () => {
  using file = temporaryFile();
  writeFileSync(file.path, 'x'.repeat(5_000));
  const error = vi.spyOn(console, 'error').mockReturnValue();
  const replica = openReplica({ apiUrl: 'http://127.0.0.1:9', credentials: 'token', path: file.path });
  await replica.close();
  expect(error.mock.calls).toEqual([
    [expect.stringContaining(`${file.path}-damaged-`), { movedTo: expect.any(String) }],
  ]);
  error.mockRestore();
});

describe('damage that is found while the replica runs', () => {
  async function damaged(options: Parameters<typeof followedReplica>[0] = {}) {
    const file = temporaryFile();
    await writeReplica(file.path);
    damagePages(file.path, 'records');
    const onReplaced = vi.fn();
    const followed = await followedReplica({ path: file.path, onReplaced, ...options });
    return {
      ...followed,
      onReplaced,
      async [Symbol.asyncDispose]() {
        await followed[Symbol.asyncDispose]();
        file[Symbol.dispose]();
      },
    };
  }
  test('by a read replaces the file; what can be read is served until all is fetched again', async () => {
    await using followed = await damaged();
    const { replica, send, onReplaced, cursors } = followed;
    const served = () => GUILDS.map((id) => replica.get(id).prefix);
    // The default, for a record that cannot be read.
    expect(new Set(served())).toEqual(new Set(['?', '!']));
    await waitUntil(() => onReplaced.mock.calls.length > 0);
    const kept = served();
    expect(new Set(kept)).toEqual(new Set(['?', '!']));
    await waitUntil(() => cursors.length === 2);
    await send(reset, all('%'));
    expect(served()).toEqual(kept);
    await send(live(300));
    expect(new Set(served())).toEqual(new Set(['%']));
    expect([replica.status, cursors]).toEqual([{ state: 'LIVE' }, [live(300).cursor, undefined]]);
  });

  test('by a write replaces the file', async () => {
    await using followed = await damaged();
    const { replica, send, onReplaced } = followed;
    // Written again to the new file, as the service does.
    void send(eventsOf('one').guild(LAST, 301, '%')).catch(() => {});
    await waitUntil(() => onReplaced.mock.calls.length > 0);
    await send(reset, all('%'), live(301));
    expect([replica.get(FIRST).prefix, replica.get(LAST).prefix]).toEqual(['%', '%']);
    expect(onReplaced).toHaveBeenCalledOnce();
  });

  test('in the text of a record replaces the file', async () => {
    using file = temporaryFile();
    await writeReplica(file.path);
    const db = new Database(file.path);
    db.prepare("UPDATE records SET record = '{' WHERE guild_id = ?").run(FIRST);
    db.close();
    const onReplaced = vi.fn();
    await using followed = await followedReplica({ path: file.path, onReplaced });
    expect([followed.replica.get(FIRST).prefix, followed.replica.get(LAST).prefix]).toEqual(['!', '?']);
    await waitUntil(() => onReplaced.mock.calls.length > 0);
    expect(followed.replica.get(LAST).prefix).toBe('?');
  });

  test('is an error that says what to do, where the file has other tables', async () => {
    const onError = vi.fn();
    await using followed = await damaged({ damagedFile: 'throw', onError });
    const { replica, send, onReplaced } = followed;
    expect(() => replica.get(LAST)).toThrow(DamagedFileError);
    void send(eventsOf('one').guild(LAST, 301, '%')).catch(() => {});
    await waitUntil(() => onError.mock.calls.some(([error]) => error instanceof DamagedFileError));
    expect(onReplaced).not.toHaveBeenCalled();
  });
});
