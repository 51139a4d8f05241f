import { join } from 'node:path';
import type { Guild } from '@guild-settings/contract';
import { KeyvSqlite } from '@resolid/keyv-sqlite';
import Enmap from 'enmap';
import Keyv from 'keyv';
import { QuickDB, SqliteDriver } from 'quick.db';
import { guildIds, recordOf } from '../data/guilds.ts';
import { filledReplica } from '../data/replica-file.ts';
import { handleJobs } from './task.ts';

/** Reads settings of many guilds in random order, from the replica and from other stores of bots. */
export type ReadJob = { readonly folder: string; readonly guilds: number } | ReadRound;

export interface ReadRound {
  readonly from: 'replica' | 'map' | 'enmap' | 'quick.db' | 'keyv';
  readonly reads: number;
}

type Settings = Pick<Guild, 'prefix'>;
type Readers = Record<ReadRound['from'], (reads: number) => number | Promise<number>>;

interface Opened {
  readonly readers: Readers;
  readonly expected: (reads: number) => number;
}

let opened: Opened | undefined;

handleJobs<ReadJob, number>(async (job) => {
  if ('folder' in job) {
    opened = await open(job.folder, job.guilds);
    return 0;
  }
  if (opened === undefined) throw new Error('Expected the stores to be open');
  const started = performance.now();
  const seen = await opened.readers[job.from](job.reads);
  const took = performance.now() - started;
  // The results are used, so that V8 cannot drop the reads.
  if (seen !== opened.expected(job.reads)) throw new Error(`${job.from} did not find every guild`);
  return (took * 1e6) / job.reads;
});

async function open(folder: string, count: number): Promise<Opened> {
  const guilds = guildIds(count).map(recordOf);
  const replica = await filledReplica(join(folder, 'replica.db'), count);
  const map = new Map<string, Settings>(guilds.map((guild) => [guild.id, guild]));

  const enmap = new Enmap<Guild>({ name: 'guilds', dataDir: folder });
  inOneTransaction(enmap.db, () => {
    for (const guild of guilds) enmap.set(guild.id, guild);
  });

  const driver = new SqliteDriver(join(folder, 'quick.sqlite'));
  const quick = new QuickDB<Guild>({ driver });
  await quick.init();
  driver.database.exec('BEGIN');
  for (const guild of guilds) await quick.set(guild.id, guild);
  driver.database.exec('COMMIT');

  const store = new KeyvSqlite({ uri: join(folder, 'keyv.sqlite'), enableWALMode: true });
  const keyv = new Keyv<Guild>({ store });
  store.sqlite.exec('BEGIN');
  for (const guild of guilds) await keyv.set(guild.id, guild);
  store.sqlite.exec('COMMIT');

  const ids = shuffled(guilds.map(({ id }) => id));
  const readers: Readers = {
    replica: (reads) => readAll(ids, reads, (id) => replica.get(id)),
    map: (reads) => readAll(ids, reads, (id) => map.get(id)),
    enmap: (reads) => readAll(ids, reads, (id) => enmap.get(id)),
    'quick.db': (reads) => awaitAll(ids, reads, (id) => quick.get(id)),
    keyv: (reads) => awaitAll(ids, reads, (id) => keyv.get(id)),
  };
  const prefixes = new Map(guilds.map(({ id, prefix }) => [id, { prefix }]));
  return { readers, expected: (reads) => readAll(ids, reads, (id) => prefixes.get(id)) };
}

function inOneTransaction(db: Enmap['db'], work: () => void): void {
  db.exec('BEGIN');
  work();
  db.exec('COMMIT');
}

function readAll(ids: readonly string[], reads: number, get: (id: string) => Settings | null | undefined): number {
  let seen = 0;
  for (let read = 0; read < reads; read++) seen += get(ids[read % ids.length] ?? '')?.prefix.length ?? 0;
  return seen;
}

async function awaitAll(
  ids: readonly string[],
  reads: number,
  get: (id: string) => Promise<Settings | null | undefined>,
): Promise<number> {
  let seen = 0;
  for (let read = 0; read < reads; read++) seen += (await get(ids[read % ids.length] ?? ''))?.prefix.length ?? 0;
  return seen;
}

/** Returns copies of the ids in an unpredictable but fixed order. */
function shuffled(ids: readonly string[]): string[] {
  const order: string[] = JSON.parse(JSON.stringify(ids));
  let state = 1;
  for (let last = order.length - 1; last > 0; last--) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const other = state % (last + 1);
    [order[last], order[other]] = [order[other] ?? '', order[last] ?? ''];
  }
  return order;
}
