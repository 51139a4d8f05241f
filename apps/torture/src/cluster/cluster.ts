import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { APPLICATION, BOT, GUILDS, PEOPLE, startWorld } from '@guild-settings/discord-sim/testing/world';
import { openSmallDisk, ResourceStack, runProgramToEnd, type SmallDisk, waitUntil } from '@guild-settings/testing';
import { postgresDatabase, Retired, sqliteDatabase, type TorturedDatabase } from './database.ts';
import { type ApiNode, createApiNode, createBotNode } from './nodes.ts';

export type StoreKind = 'sqlite' | 'postgres';

const API_MAIN = fileURLToPath(new URL('../../../api/dist/main.js', import.meta.url));

/** A SQLite file is used by one api, PostgreSQL by any number. */
const PROCESSES = { sqlite: 1, postgres: 4 } as const;
const DISK_MEGABYTES = { sqlite: 256, postgres: 768 } as const;
const ADDITIONAL_GUILDS = 16;
/** Processes of the bot. All have the same guilds, as while one of them replaces another. */
const BOTS = 2;

const HEAL_TIMEOUT_MS = 180_000;

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/**
 * Starts everything on free ports and an empty database. If a part fails to start, stops the others.
 * @param apiMain the api's built main.js
 */
export async function startCluster(store: StoreKind, apiMain = API_MAIN) {
  await using started = new ResourceStack();
  const disk = started.use(await openSmallDisk(DISK_MEGABYTES[store]));
  const discord = started.use(await startWorld());
  const guilds = [...GUILDS.map(({ id }) => id), ...addGuilds(discord)];
  const count = PROCESSES[store];
  const version = buildOf(apiMain);
  const versions = [version, await buildNextVersion(version, join(disk.outside, 'next-version'))] as const;
  const postgres =
    store === 'postgres' ? started.use(await postgresDatabase(disk.folder, count, version.migrate)) : undefined;
  const database: TorturedDatabase = postgres ?? sqliteDatabase(disk.folder);
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
    apis.push(started.use(await createApiNode(index, apiMain, env)));
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
    /** `database` if it is PostgreSQL. */
    postgres,
    apis,
    /** The builds of the api that run side by side: the one under test, and a later one. */
    versions,
    bots,
    guilds,
    /** The guilds that clients erase: a third, so that the others have long histories. */
    erasable: new Set<string>(guilds.filter((_, index) => index % 3 === 0)),
    retired: new Retired(),
    heal,
    [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose](),
  };
}

/**
 * Returns the erasure ledger of a process on PostgreSQL: two processes share one, as on one machine, the others have
 * their own.
 */
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

interface Build {
  readonly main: string;
  readonly migrate: string;
}

function buildOf(main: string): Build {
  return { main, migrate: join(dirname(main), 'migrate.js') };
}

const BUNDLE = fileURLToPath(new URL('../../../../scripts/bundle-program.mjs', import.meta.url));

const TAG = '9999_next_version';

/** The changes of the next version to each store: a column, and an index. */
const STORES = [
  { store: 'sqlite', column: 'text()', sql: 'ALTER TABLE `guilds` ADD `note` text' },
  { store: 'postgres', column: "text().default('next')", sql: 'ALTER TABLE "guilds" ADD COLUMN "note" text' },
] as const;

const LAST_COLUMN = /^ +updatedAt: .*,$/m;

/**
 * Builds the next version of a build in a folder: it has another migration, and a schema with the column that the
 * migration adds, so it cannot use a database that is not migrated.
 */
async function buildNextVersion({ main }: Build, folder: string): Promise<Build> {
  const from = dirname(dirname(main));
  await mkdir(folder);
  for (const part of ['src', 'dist', 'package.json'])
    await cp(join(from, part), join(folder, part), { recursive: true });
  await symlink(join(from, 'node_modules'), join(folder, 'node_modules'));
  for (const { store, column, sql } of STORES) {
    const migrations = join('src', 'store', store, 'migrations');
    await addMigration(join(folder, migrations), [sql, 'CREATE INDEX guilds_note ON guilds (note)']);
    const schema = join('src', 'store', store, 'schema.ts');
    await edit(join(folder, schema), (text) => {
      if (!LAST_COLUMN.test(text)) throw new Error(`Expected updatedAt as the last column of guilds in ${schema}`);
      return text.replace(LAST_COLUMN, (line) => `${line}\n    note: ${column},`);
    });
  }
  const programs = ['main', 'cli/migrate', 'store/sqlite/checkpoint-thread'];
  await runProgramToEnd({ args: [BUNDLE, ...programs], cwd: folder });
  return buildOf(join(folder, 'dist', 'main.js'));
}

async function addMigration(folder: string, statements: readonly string[]): Promise<void> {
  await writeFile(join(folder, `${TAG}.sql`), statements.join(';\n--> statement-breakpoint\n'));
  await edit(join(folder, 'meta', '_journal.json'), (text) => {
    const journal: { entries: { idx: number; when: number }[] } = JSON.parse(text);
    const last = journal.entries.at(-1);
    if (last === undefined) throw new Error('Expected at least one migration');
    const next = { ...last, idx: last.idx + 1, when: last.when + 1, tag: TAG };
    return JSON.stringify({ ...journal, entries: [...journal.entries, next] });
  });
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, 'utf8')));
}
