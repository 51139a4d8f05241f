import { ExponentialBackoff, type IBackoff } from 'cockatiel';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import type { NotificationState } from '../store.ts';
import { connectionOptions, type PostgresDatabase } from './database.ts';

/** Channel by which processes are notified of commits. Processes of all versions use this name. */
const CHANNEL = 'guild_settings';

/** Channel of the messages between processes. */
const MESSAGES = 'guild_settings_messages';

/** Notifies all processes when the transaction that selects it commits. */
export const NOTIFY_COMMIT = sql`pg_notify(${CHANNEL}, '')`;

const BACKOFF = new ExponentialBackoff({ initialDelay: 50, maxDelay: 2_000 });

/** Subscription to commits. */
export interface Listener {
  close(): Promise<void>;
}

export interface ListenerOptions {
  /** Called when any process may have committed changes. */
  readonly onCommit: () => void;
  /** Called with each message of any process. */
  readonly onMessage: (message: string) => void;
  /** Called when the connection is lost, and when it is back: once each, however many attempts fail in between. */
  readonly onNotifications: (state: NotificationState) => void;
}

/**
 * Calls a function when any process may have committed changes. Listens on a connection of its own, which is replaced when
 * it is lost. Each new connection calls the function as well, because notifications may have been missed.
 */
export function listenForCommits(url: string, { onCommit, onMessage, onNotifications }: ListenerOptions): Listener {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let backoff: IBackoff<unknown> = BACKOFF.next();
  let isClosed = false;
  let isLost = false;

  const lost = (reason: unknown) => {
    if (isLost || isClosed) return;
    isLost = true;
    onNotifications({ isLost, reason });
  };
  const reconnect = () => {
    if (isClosed) return;
    timer = setTimeout(connect, backoff.duration);
    backoff = backoff.next(undefined);
  };
  const connect = () => {
    const current = new pg.Client(connectionOptions(url));
    client = current;
    current.on('notification', ({ channel, payload = '' }) => (channel === MESSAGES ? onMessage(payload) : onCommit()));
    // `end` follows every error of the connection, once.
    current.on('error', lost);
    current.once('end', () => {
      lost(new Error('The server closed the connection'));
      reconnect();
    });
    current
      .connect()
      .then(() => current.query(`LISTEN ${CHANNEL}; LISTEN ${MESSAGES}`))
      .then(
        () => {
          backoff = BACKOFF.next();
          if (isLost) onNotifications({ isLost: false });
          isLost = false;
          onCommit();
        },
        (error: unknown) => {
          lost(error);
          return current.end().catch(() => {});
        },
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

/** Sends a message to every process. It is not worth waiting for the disk: whoever misses it asks again. */
export async function broadcast(db: PostgresDatabase, message: string): Promise<void> {
  await db.execute(sql`SELECT set_config('synchronous_commit', 'off', true), pg_notify(${MESSAGES}, ${message})`);
}
