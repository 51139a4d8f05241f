import { sql } from 'drizzle-orm';
import pg from 'pg';
import { connectionOptions } from './database.ts';

/** By which commits are made known to every process. */
const CHANNEL = 'guild_settings';

/** Selected in a transaction, it makes that known when it commits. */
export const NEWS = sql`pg_notify(${CHANNEL}, '')`;

/** Milliseconds until the first and, doubling, the latest next try to connect. */
const FIRST_RETRY = 50;
const LATEST_RETRY = 2_000;

/** Hears of commits, until it is closed. */
export interface Listener {
  close(): Promise<void>;
}

/**
 * Listens for commits of any process on a connection of its own, which it makes anew when it is lost. What is heard says
 * only that there is news, and so does every new connection: what was said meanwhile is lost.
 */
export function listenForCommits(url: string, onNews: () => void): Listener {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let isClosed = false;

  const retry = () => {
    if (isClosed) return;
    const wait = Math.min(LATEST_RETRY, FIRST_RETRY * 2 ** failures) * (0.5 + Math.random() / 2);
    failures += 1;
    timer = setTimeout(connect, wait);
  };
  const connect = () => {
    const current = new pg.Client(connectionOptions(url));
    client = current;
    current.on('notification', onNews);
    // Comes once, after whatever ended the connection.
    current.on('error', () => {});
    current.once('end', retry);
    current
      .connect()
      .then(() => current.query(`LISTEN ${CHANNEL}`))
      .then(
        () => {
          failures = 0;
          onNews();
        },
        () => current.end().catch(() => {}),
      );
  };
  connect();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
