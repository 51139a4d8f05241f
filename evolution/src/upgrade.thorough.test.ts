import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { startWorld } from '@guild-settings/discord-sim/testing/world';
import {
  freePort,
  HAS_NGINX,
  prepareNginx,
  ResourceStack,
  startTestPostgres,
  temporaryFolder,
  waitUntil,
} from '@guild-settings/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrate, startApi } from './api-process.ts';
import { type Load, startLoad } from './load.ts';
import type { Watched } from './reader-commands.ts';
import { startReader } from './reader-process.ts';
import { byRevision, storedWrites } from './stored-writes.ts';
import { CURRENT, folderOf, NEXT } from './versions.ts';
import { environmentOf, TOKEN } from './world.ts';

/** The longest time without a response while the only process is replaced. */
const MAX_PAUSE_MS = 5_000;

let resources: ResourceStack;
let discord: DiscordSim;
beforeEach(async () => {
  resources = new ResourceStack();
  discord = resources.use(await startWorld());
});
afterEach(() => resources[Symbol.asyncDispose]());

describe('an upgrade to the next version, under load', () => {
  test.skipIf(!HAS_NGINX)(
    'on PostgreSQL, of two processes behind nginx: no request fails, and no write or event is lost',
    async () => {
      const postgres = resources.use(await startTestPostgres());
      const env = { ...environmentOf(discord, ''), DATABASE_URL: await postgres.createDatabase() };
      const ports = [await freePort(), await freePort()];
      const nginx = resources.use(await prepareNginx({ 3000: ports[0] ?? 0, 3001: ports[1] ?? 0 }));
      const start = (version: string, port: number) => startApi(folderOf(version), { ...env, PORT: String(port) });
      await migrate(folderOf(CURRENT), env);
      const olds = await Promise.all(ports.map(async (port) => resources.use(await start(CURRENT, port))));
      await nginx.start();
      const reader = resources.use(startReader(folderOf(CURRENT), { NODE_EXTRA_CA_CERTS: nginx.certificate }));
      await reader.send('watch', { url: nginx.urls.service, token: TOKEN });
      const load = startLoad(nginx.urls.service, readFileSync(nginx.certificate));
      await load.more();

      // As docs/operate.md says: the schema first, then one process after the other.
      await migrate(folderOf(NEXT), env);
      await load.more();
      for (const old of olds) {
        expect(await old.end('SIGTERM')).toEqual({ code: 0, signal: null });
        resources.use(await start(NEXT, Number(new URL(old.url).port)));
        await load.more();
      }
      await load.stop();
      print('PostgreSQL', load);
      expect(load.failures).toEqual([]);
      await expectKept(olds[0]?.url ?? '', load);

      let watched: Watched = { events: [], failures: [] };
      const last = Math.max(...load.acknowledged.map(({ revision }) => revision));
      await waitUntil(async () => {
        watched = await reader.send<Watched>('watched');
        return (watched.events.at(-1)?.cursor?.revision ?? 0) >= last;
      });
      expectFollowed(watched, load);
    },
  );

  test('on SQLite, of the only process: the service is away for at most five seconds, and no write is lost', async () => {
    const folder = resources.use(temporaryFolder());
    const env = { ...environmentOf(discord, folder.file('api.db')), PORT: String(await freePort()) };
    const old = resources.use(await startApi(folderOf(CURRENT), env));
    const load = startLoad(old.url);
    await load.more();
    expect(await old.end('SIGTERM')).toEqual({ code: 0, signal: null });
    resources.use(await startApi(folderOf(NEXT), env));
    await load.more();
    await load.stop();
    print('SQLite', load);
    await expectKept(old.url, load);
    // A machine that is busy with something else proves nothing about the pause.
    const isQuiet = (loadavg()[0] ?? 0) <= 2 * availableParallelism();
    if (isQuiet) expect(load.longestPauseMs()).toBeLessThan(MAX_PAUSE_MS);
  });
});

function print(store: string, load: Load): void {
  const { acknowledged, failures } = load;
  const counts = `${load.answered()} requests answered, ${acknowledged.length} of them writes; ${failures.length} failed`;
  const busy = loadavg()[0]?.toFixed(1);
  console.log(
    `${store}: ${counts}; longest pause ${Math.round(load.longestPauseMs())} ms; load of the machine ${busy}`,
  );
}

/** Checks that records and histories have each acknowledged write once, and nothing else. */
async function expectKept(url: string, { acknowledged }: Load): Promise<void> {
  const stored = await storedWrites(url, new Set(acknowledged.map(({ guild }) => guild)));
  expect(stored).toEqual(byRevision(acknowledged));
}

/**
 * Checks that a watch that began before the load reconnected without a reset, received acknowledged changes alone, in their order, and
 * the last one of each guild. Earlier ones of the same guild may be left out.
 */
function expectFollowed({ events, failures }: Watched, { acknowledged }: Load): void {
  const types = events.map(({ event }) => event.type);
  expect(types.filter((type) => type === 'reset')).toHaveLength(1);
  expect(failures.length).toBeGreaterThan(0);
  const records = events.flatMap(({ event }) =>
    event.type === 'guilds' ? event.guilds : event.type === 'guild' ? [event] : [],
  );
  const writes = new Map(acknowledged.map((write) => [write.revision, write]));
  let before = 0;
  for (const { revision, guild } of records) {
    expect(revision).toBeGreaterThan(before);
    before = revision;
    expect({ guild: guild.id, prefix: guild.prefix, revision }).toEqual(writes.get(revision));
  }
  const received = new Map(records.map(({ guild, revision }) => [guild.id, revision]));
  expect(received).toEqual(new Map(acknowledged.map(({ guild, revision }) => [guild, revision])));
}
