import { createHash } from 'node:crypto';
import { copyFile, rm } from 'node:fs/promises';
import { type App, createApp, readConfig } from '@guild-settings/api';
import { type Declaration, DeclaredSettings } from '@guild-settings/contract/settings';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { APPLICATION, startWorld } from '@guild-settings/discord-sim/testing/world';
import { temporaryFolder, waitUntil } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import { test as base } from 'vitest';

/** An api that can be restarted at the same URL, on the same or an older database file. */
export interface RestartableApi extends AsyncDisposable {
  readonly url: string;
  readonly discord: DiscordSim;
  /** The clock of the api and Discord, as milliseconds ahead of the system's. */
  readonly clock: { aheadMs: number };
  stop(): Promise<void>;
  /** Starts it on the same database, with the settings that a deployment declares. */
  start(declaration?: Declaration): Promise<void>;
  /** Resolves when retention has erased all expired guilds. */
  retained(): Promise<void>;
  /** Copies the database of the stopped api. The result restores the copy. */
  backUp(): Promise<() => Promise<void>>;
}

/** Starts an api with the users and guilds of the sandbox. */
export async function startRestartableApi(): Promise<RestartableApi> {
  const folder = temporaryFolder();
  const path = `${folder.path}/test.db`;
  const clock = { aheadMs: 0 };
  const now = () => Date.now() + clock.aheadMs;
  const discord = await startWorld({ clock: now });
  let app: App | undefined;
  let port = 0;
  let backUps = 0;

  const start = async (declaration?: Declaration) => {
    const config = readConfig({
      DATABASE_URL: `file:${path}`,
      DISCORD_API_URL: discord.apiUrl,
      DISCORD_APPLICATION_ID: APPLICATION.id,
      RATE_LIMIT_PER_MINUTE: '0',
      CHANGE_LOG_BYTES_PER_DAY: '0',
      // Tests advance the clock by months.
      RETENTION_CONFIRMED_UNTIL: new Date(now() + 12 * 3_600_000).toISOString(),
      LOG_LEVEL: 'silent',
    });
    const tag = declaration && createHash('sha256').update(JSON.stringify(declaration)).digest('hex').slice(0, 8);
    const settings = new DeclaredSettings(declaration, tag);
    app = await createApp({ ...config, settings }, { clock: { nowMs: now, monotonicMs: now } });
    const url = await app.listen({ host: '127.0.0.1', port });
    port = Number(new URL(url).port);
    return url;
  };
  const stop = async () => {
    await app?.close();
    app = undefined;
  };
  const url = await start();
  return {
    url,
    discord,
    clock,
    stop,
    start: async (declaration) => void (await start(declaration)),
    retained: () => waitUntil(() => dueGuilds(path, now()) === 0, { message: 'retention' }),
    async backUp() {
      backUps += 1;
      const copy = `${path}.${backUps}`;
      // Closing checkpoints the write-ahead log, so the single file is complete.
      await copyFile(path, copy);
      return async () => {
        for (const suffix of ['', '-wal', '-shm']) await rm(`${path}${suffix}`, { force: true });
        await copyFile(copy, path);
      };
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await discord.close();
      folder[Symbol.dispose]();
    },
  };
}

function dueGuilds(path: string, now: number): number {
  const file = new Database(path, { readonly: true });
  try {
    const due = file.prepare<[number], number>('SELECT count(*) FROM guilds WHERE left_at < ?').pluck();
    return due.get(now - RETENTION_MS) ?? 0;
  } finally {
    file.close();
  }
}

/** Time for which the settings of a guild that the bot has left are kept. */
const RETENTION_MS = 30 * 86_400_000;

/** Tests with their own api, `api`. */
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures this one needs.
export const test = base.extend('api', async ({}, { onCleanup }) => {
  const api = await startRestartableApi();
  onCleanup(() => api[Symbol.asyncDispose]());
  return api;
});
