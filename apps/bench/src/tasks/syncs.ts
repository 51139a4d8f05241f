import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { watch } from '@guild-settings/client';
import { Replica } from '@guild-settings/replica';
import Database from 'better-sqlite3';
import { handleJobs } from './task.ts';

/** Synchronises a file with a server: a replica with the service, or a plain database with JSON lines. */
export interface SyncJob {
  readonly from: 'service' | 'json-lines';
  readonly url: string;
  readonly token: string;
  readonly path: string;
  readonly guilds: number;
}

handleJobs<SyncJob, number>(async (job) => {
  const { durationMs, guilds } = await (job.from === 'service' ? replicate(job) : copyLines(job));
  if (guilds !== job.guilds) throw new Error(`Expected ${job.guilds} guilds from ${job.from}, received ${guilds}`);
  return durationMs;
});

interface Synced {
  readonly durationMs: number;
  readonly guilds: number;
}

async function replicate({ url, token, path }: SyncJob): Promise<Synced> {
  const replica = new Replica({ path, follow: ({ watcher: _, ...options }) => watch({ url, token, ...options }) });
  const started = performance.now();
  replica.start();
  await replica.waitUntilLive();
  const durationMs = performance.now() - started;
  await replica.close();
  return { durationMs, guilds: replica.metrics.guilds };
}

async function copyLines({ url, path }: SyncJob): Promise<Synced> {
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.exec('CREATE TABLE records (id TEXT PRIMARY KEY, revision INTEGER NOT NULL, record TEXT NOT NULL)');
  const insert = db.prepare('INSERT INTO records VALUES (?, ?, ?)');
  const started = performance.now();
  const response = await fetch(`${url}/guilds`);
  const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  db.exec('BEGIN');
  for await (const line of createInterface({ input: body })) {
    const { revision, guild } = JSON.parse(line) as { revision: number; guild: { id: string } };
    insert.run(guild.id, revision, JSON.stringify(guild));
  }
  db.exec('COMMIT');
  const durationMs = performance.now() - started;
  const guilds = db.prepare<[], number>('SELECT count(*) FROM records').pluck().get() ?? 0;
  db.close();
  return { durationMs, guilds };
}
