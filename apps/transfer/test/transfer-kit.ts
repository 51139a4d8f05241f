import { fileURLToPath } from 'node:url';
import { createApp, readConfig } from '@guild-settings/api';
import { createGuildSettingsClient, type GuildSettingsClient } from '@guild-settings/client';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { APPLICATION, startWorld, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { readArguments, type Values } from '@guild-settings/runtime/command-line';
import {
  type Program,
  type ProgramOptions,
  startProgram,
  type TemporaryFolder,
  temporaryFolder,
} from '@guild-settings/testing';
import { KeyvSqlite } from '@resolid/keyv-sqlite';
import Enmap from 'enmap';
import Keyv from 'keyv';
import { QuickDB, SqliteDriver } from 'quick.db';
import { readTransferConfig } from '../src/config.ts';
import { openImporter } from '../src/import/importer.ts';
import { commandOf, PROGRAM } from '../src/import/options.ts';
import { type ImportResult, runImport } from '../src/import/run-import.ts';

export function startTransfer(
  name: 'import' | 'export',
  args: readonly string[],
  options: Pick<ProgramOptions, 'env' | 'cwd' | 'stdout'>,
): Program {
  const file = fileURLToPath(new URL(`../dist/${name}/main.js`, import.meta.url));
  return startProgram({ args: [file, ...args], ...options });
}

const TOKEN = tokenOf('application');

export interface TestService extends AsyncDisposable {
  readonly url: string;
  readonly discord: DiscordSim;
  readonly token: string;
  readonly env: NodeJS.ProcessEnv;
  readonly client: GuildSettingsClient;
}

/** Starts a service on an empty file. No bot has reported its guilds, so none counts as absent. */
export async function startService(env: NodeJS.ProcessEnv = {}): Promise<TestService> {
  const folder = temporaryFolder();
  const discord = await startWorld();
  const config = readConfig({
    DATABASE_URL: `file:${folder.file('api.db')}`,
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: APPLICATION.id,
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'silent',
    ...env,
  });
  const app = await createApp(config);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    discord,
    token: TOKEN,
    client: createGuildSettingsClient({ url, token: TOKEN }),
    env: {
      API_URL: url,
      DISCORD_API_URL: discord.apiUrl,
      DISCORD_APPLICATION_ID: APPLICATION.id,
      DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await discord.close();
      folder[Symbol.dispose]();
    },
  };
}

/** Writes values like a bot with Keyv. */
export async function writeKeyv(
  path: string,
  values: Readonly<Record<string, unknown>>,
  options: { readonly namespace?: string; readonly ttl?: number } = {},
): Promise<void> {
  const store = new KeyvSqlite({ uri: path });
  const keyv = new Keyv({ store, ...(options.namespace !== undefined && { namespace: options.namespace }) });
  store.sqlite.exec('BEGIN');
  for (const [key, value] of Object.entries(values)) await keyv.set(key, value, options.ttl);
  store.sqlite.exec('COMMIT');
  await keyv.disconnect();
}

/** Writes values like a bot with quick.db 9. */
export async function writeQuickDb(path: string, values: Readonly<Record<string, unknown>>): Promise<void> {
  const driver = new SqliteDriver(path);
  const db = new QuickDB({ driver });
  await db.init();
  for (const [key, value] of Object.entries(values)) await db.set(key, value);
  driver.database.close();
}

/** Writes values like a bot with Enmap 6, into `enmap.sqlite` in a folder. */
export function writeEnmap(folder: string, name: string, values: Readonly<Record<string, unknown>>): string {
  const enmap = new Enmap({ name, dataDir: folder });
  for (const [key, value] of Object.entries(values)) enmap.set(key, value);
  enmap.db.close();
  return `${folder}/enmap.sqlite`;
}

export function parseOptions(args: readonly string[]): Values<(typeof PROGRAM)['options']> {
  const options = readArguments(PROGRAM.options, args);
  if (options === null) throw new Error('Expected options, received --help');
  return options;
}

/**
 * Imports into a service in this process, without a question. Rejected values are in `rejects.ndjson` in the folder.
 */
export async function importInto(
  service: TestService,
  folder: TemporaryFolder,
  args: readonly string[],
): Promise<ImportResult> {
  const { signal } = new AbortController();
  const config = readTransferConfig(service.env);
  const unexpected = () => Promise.reject(new Error('Expected no question'));
  return await runImport({
    command: commandOf(parseOptions([...args, '--rejects', folder.file('rejects.ndjson')]), false),
    importer: await openImporter({ config, reason: undefined, onBehalfOf: undefined, signal, onWait: () => {} }),
    limits: { maxGuilds: 500, maxBytes: 1 << 20 },
    signal,
    showProgress: () => ({ update: () => {}, [Symbol.dispose]: () => {} }),
    askEmptyPrefix: unexpected,
    confirm: unexpected,
  });
}
