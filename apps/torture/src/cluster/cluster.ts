import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { APPLICATION, BOT, GUILDS, PEOPLE, startWorld } from '@guild-settings/discord-sim/testing/world';
import { openSmallDisk, ResourceStack, type SmallDisk, waitUntil } from '@guild-settings/testing';
import { type ApiNode, createApiNode } from './api-node.ts';
import { type BotNode, createBotNode } from './bot-node.ts';
import type { TorturedDatabase } from './database.ts';
import { type Build, buildNextVersion, buildOf } from './next-version.ts';
import { type PostgresDatabase, postgresDatabase } from './postgres-database.ts';
import { Retired } from './retired.ts';
import { sqliteDatabase } from './sqlite-database.ts';

export type StoreKind = 'sqlite' | 'postgres';

const API_MAIN = fileURLToPath(new URL('../../../api/dist/main.js', import.meta.url));

/** A SQLite file is used by one api, PostgreSQL by any number. */
const PROCESSES = { sqlite: 1, postgres: 4 } as const;
const DISK_MEGABYTES = { sqlite: 256, postgres: 768 } as const;
const ADDITIONAL_GUILDS = 16;
/** Processes of the bot. Each has the same guilds, as while one of them replaces the other. */
const BOTS = 2;

const HEAL_TIMEOUT_MS = 60_000;

export interface Cluster extends AsyncDisposable {
  readonly disk: SmallDisk;
  readonly discord: DiscordSim;
  readonly database: TorturedDatabase;
  /** `database`, if it is PostgreSQL. */
  readonly postgres: PostgresDatabase | undefined;
  readonly apis: readonly ApiNode[];
  /** The builds of the api that run side by side: the one under test, and a later one. */
  readonly versions: readonly [Build, Build];
  readonly bots: readonly BotNode[];
  readonly guilds: readonly string[];
  /** The guilds of these that clients erase: a third, so that the others have long histories. */
  readonly erasable: ReadonlySet<string>;
  readonly retired: Retired;
  heal(): Promise<void>;
}

export interface ClusterOptions {
  readonly store: StoreKind;
  /** The api's built main.js; the one of this repository unless given. */
  readonly apiMain?: string | undefined;
}

/** Starts everything on free ports and an empty database. Stops what it has started when a part fails to start. */
export async function startCluster({ store, apiMain = API_MAIN }: ClusterOptions): Promise<Cluster> {
  await using started = new ResourceStack();
  const disk = started.use(await openSmallDisk(DISK_MEGABYTES[store]));
  const discord = started.use(await startWorld());
  const guilds = [...GUILDS.map(({ id }) => id), ...addGuilds(discord)];
  const count = PROCESSES[store];
  const version = buildOf(apiMain);
  const versions = [version, await buildNextVersion(version, join(disk.outside, 'next-version'))] as const;
  const postgres = store === 'postgres' ? started.use(await postgresDatabase(disk.folder, count, version)) : undefined;
  const database = postgres ?? sqliteDatabase(disk.folder);
  const common = { DISCORD_API_URL: discord.apiUrl, DISCORD_APPLICATION_ID: APPLICATION.id };
  const apis: ApiNode[] = [];
  for (let index = 0; index < count; index++) {
    const unlimited = { RATE_LIMIT_PER_MINUTE: '0', CHANGE_LOG_BYTES_PER_DAY: '0' };
    const env = {
      ...common,
      ...unlimited,
      DATABASE_URL: database.urlOf(index),
      AUTH_CACHE_TTL: '3',
      ...(postgres && { ERASURE_LEDGER: ledgerOf(disk, index) }),
    };
    apis.push(started.use(await createApiNode({ index, main: apiMain, env })));
  }
  const bots = Array.from({ length: BOTS }, (_, index) =>
    started.use(
      createBotNode(index, disk.outside, {
        ...common,
        API_URL: apis[index % count]?.url ?? '',
        DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
        DISCORD_BOT_TOKEN: BOT.token,
        // An older copy is restored on purpose, and may lack most guilds of a short run.
        RESET_HOLD_SECONDS: '1',
      }),
    ),
  );
  const heal = async () => {
    await disk.free();
    discord.faults.clear();
    for (const proxy of [...apis.map((api) => api.proxy), ...(postgres?.proxies ?? [])]) proxy.restore();
    const isUp = await database.ensureUp(HEAL_TIMEOUT_MS);
    const areUp = await Promise.all(apis.map((api) => api.ensureUp(HEAL_TIMEOUT_MS)));
    const down = apis.filter((_, index) => areUp[index] !== true);
    if (!isUp || down.length > 0) {
      const last = down.map((api) => `\n${api.output().slice(-1_000)}`);
      throw new Error(`Expected every killed process to start again${last.join('')}`);
    }
    for (const bot of bots) bot.ensureUp();
  };
  await heal();
  // The service waits for a bot from its first connection on.
  await Promise.all(bots.map((bot) => bot.waitUntilConnected()));
  await waitUntil(() => bots.every((bot) => guilds.every((guild) => bot.revisionOf(guild) !== undefined)));
  const parts = started.move();
  return {
    disk,
    discord,
    database,
    postgres,
    apis,
    versions,
    bots,
    guilds,
    erasable: new Set(guilds.filter((_, index) => index % 3 === 0)),
    retired: new Retired(),
    heal,
    [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose](),
  };
}

/** Returns the ledger of erasures of a process on PostgreSQL: two share one, as on one machine, the others have their own. */
function ledgerOf({ folder }: SmallDisk, index: number): string {
  return join(folder, `erasures-${Math.max(1, index)}`);
}

function addGuilds({ world }: DiscordSim): string[] {
  return Array.from({ length: ADDITIONAL_GUILDS }, (_, index) => {
    const id = String(300_000_000_000_000_000n + (BigInt(index) << 22n));
    world.addGuild({ id, name: `Guild ${index}`, ownerId: PEOPLE.owner.id });
    world.addBotToGuild(id, { applicationId: APPLICATION.id });
    return id;
  });
}
