import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { watch } from '@guild-settings/client';
import { type Follow, Replica } from '@guild-settings/replica';
import Database from 'better-sqlite3';
import { answerJobs } from './task.ts';

/** Brings a file up to date with a server: a replica's with the service, or a plain one with JSON lines. */
export interface SyncJob {
  readonly from: 'service' | 'json-lines';
  readonly url: string;
  readonly token?: string;
  readonly path: string;
  /** How many guilds it has to hold in the end. */
  readonly guilds: number;
}

/** The milliseconds that it took. */
answerJobs<SyncJob, number>(async (job) => {
  const { took, guilds } = await (job.from === 'service' ? replicate(job) : copyLines(job));
  if (guilds !== job.guilds) throw new Error(`${guilds} guilds came from ${job.from}`);
  return took;
});

interface Synced {
  readonly took: number;
  readonly guilds: number;
}

async function replicate({ url, token = '', path }: SyncJob): Promise<Synced> {
  let isThrough = () => {};
  const through = new Promise<void>((resolve) => {
    isThrough = resolve;
  });
  const follow: Follow = async function* (options) {
    for await (const watched of watch({ url, token, ...options })) {
      yield watched;
      // The replica asks for the next one when it has taken this one in.
      if (watched.event.type === 'live') isThrough();
    }
  };
  // A file that holds something already is read before the clock starts: that is the bot's start.
  const replica = new Replica({ path, follow });
  const started = performance.now();
  replica.start();
  await through;
  const took = performance.now() - started;
  await replica.close();
  return { took, guilds: replica.metrics.guilds };
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
  const took = performance.now() - started;
  const guilds = db.prepare<[], number>('SELECT count(*) FROM records').pluck().get() ?? 0;
  db.close();
  return { took, guilds };
}
