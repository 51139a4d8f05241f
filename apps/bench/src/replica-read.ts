import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { DEFAULT_SETTINGS, type Guild } from '@guild-settings/contract';
import { type Follow, Replica } from '@guild-settings/replica';
import { KeyvSqlite } from '@resolid/keyv-sqlite';
import Keyv from 'keyv';
import { measureRounds, median, type Row } from './bench.ts';
import { handleJobs, startTask } from './processes.ts';
import { guildIds } from './service.ts';

const GUILDS = 2_500;
const MIN_SPEED_UP = 100;
const PREFIX_LENGTH = 3;

/** Reads per round: fewer for the store that queries a database. */
const READS = { ours: 1_000_000, 'Map.get': 1_000_000, keyv: 20_000 };

type Store = keyof typeof READS;

/** A command reads the settings of its guild, in a bot with one full shard. */
export const replicaRead: Row = {
  id: 'replica-read',
  unit: 'ns',
  goal: { maxRatio: 3 },
  also: `>= ${MIN_SPEED_UP} x the store`,
  async measure(context) {
    const { resources, folder, progress } = context;
    const task = resources.use(startTask<typeof tasks>('replica-read'));
    progress('filling the store');
    await task.run('open', folder);
    const candidate = (name: Store) => ({ name, measure: async () => ({ value: await task.run('read', name) }) });
    const series = await measureRounds(context, candidate('ours'), candidate('Map.get'), candidate('keyv'));
    const speedUp = median(series[2]?.values ?? []) / median(series[0].values);
    return { series, also: { found: `${Math.round(speedUp)} x`, isMet: speedUp >= MIN_SPEED_UP } };
  },
};

type Settings = Pick<Guild, 'prefix'> | null | undefined;

let readers: Readonly<Record<Store, (reads: number) => number | Promise<number>>>;

const tasks = {
  async open(folder: string): Promise<void> {
    const guilds = guildIds(GUILDS).map(recordOf);
    const replica = await filledReplica(join(folder, 'replica.db'), guilds);
    const map = new Map<string, Guild>(guilds.map((guild) => [guild.id, guild]));
    const store = new KeyvSqlite({ uri: join(folder, 'keyv.sqlite'), enableWALMode: true });
    const keyv = new Keyv<Guild>({ store });
    store.sqlite.exec('BEGIN');
    for (const guild of guilds) await keyv.set(guild.id, guild);
    store.sqlite.exec('COMMIT');
    const ids = scattered(guilds.map(({ id }) => id));
    readers = {
      ours: readAll(ids, (id) => replica.get(id)),
      'Map.get': readAll(ids, (id) => map.get(id)),
      keyv: awaitAll(ids, (id) => keyv.get(id)),
    };
  },

  /** Reads from a store. Returns the nanoseconds per read. */
  async read(store: Store): Promise<number> {
    const started = performance.now();
    const seen = await readers[store](READS[store]);
    const tookMs = performance.now() - started;
    // Uses the results, so that V8 cannot eliminate the reads.
    if (seen !== READS[store] * PREFIX_LENGTH) throw new Error(`${store} did not find every guild`);
    return (tookMs * 1e6) / READS[store];
  },
};

function recordOf(id: string, index: number): Guild {
  const settings = {
    prefix: String(index % 1_000).padStart(PREFIX_LENGTH, '!'),
    beta: index % 2 === 1,
    announcement_channel: String(BigInt(id) + 1n),
  };
  return { id, name: `Guild ${id}`, icon: null, ...DEFAULT_SETTINGS, enabledFeatures: ['reminders'], ...settings };
}

async function filledReplica(path: string, records: readonly Guild[]): Promise<Replica> {
  const [epoch, revision] = ['bench', records.length];
  // Parsed as from a stream, so that strings are not shared.
  const guilds = JSON.parse(JSON.stringify(records.map((guild, index) => ({ revision: index + 1, guild }))));
  const follow: Follow = async function* ({ signal }) {
    yield { cursor: { epoch, revision: 0 }, event: { type: 'reset', epoch } };
    yield { cursor: { epoch, revision }, event: { type: 'guilds', revision, guilds } };
    yield { cursor: { epoch, revision }, event: { type: 'live', revision } };
    await once(signal, 'abort');
  };
  const replica = new Replica({ path, follow });
  replica.start();
  await replica.waitUntilLive();
  return replica;
}

function readAll(ids: readonly string[], get: (id: string) => Settings) {
  return (reads: number): number => {
    let seen = 0;
    for (let read = 0; read < reads; read++) seen += get(ids[read % ids.length] ?? '')?.prefix.length ?? 0;
    return seen;
  };
}

function awaitAll(ids: readonly string[], get: (id: string) => Promise<Settings>) {
  return async (reads: number): Promise<number> => {
    let seen = 0;
    for (let read = 0; read < reads; read++) seen += (await get(ids[read % ids.length] ?? ''))?.prefix.length ?? 0;
    return seen;
  };
}

/** Returns copies of the ids in an unpredictable but fixed order. */
function scattered(ids: readonly string[]): string[] {
  const hash = (id: string) => createHash('sha256').update(id).digest('hex');
  return JSON.parse(JSON.stringify(ids.toSorted((one, other) => (hash(one) < hash(other) ? -1 : 1))));
}

handleJobs('replica-read', tasks);
