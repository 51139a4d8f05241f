import { randomUUID } from 'node:crypto';
import { ExponentialBackoff, type IBackoff } from 'cockatiel';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { type NotificationState, NotificationsLostError } from '../store.ts';
import { connectionOptions } from './database.ts';

/** Channel for notifications of commits. Processes of all versions use this name. */
const CHANNEL = 'guild_settings';

const WATCHERS = 'guild_settings_watchers';

/** Channel for notifications of ended sessions. The payload is the hash of the id. */
export const SESSION_ENDED = 'guild_settings_session_ended';

/** Notifies all processes when the transaction that selects it commits. */
export const NOTIFY_COMMIT = sql`pg_notify(${CHANNEL}, '')`;

/** Notifies all processes of a change of watchers when the transaction that selects it commits. */
export const NOTIFY_WATCHERS = sql`pg_notify(${WATCHERS}, '')`;

const BACKOFF = new ExponentialBackoff({ initialDelay: 50, maxDelay: 2_000 });

/** Pause between two checks of the connection, in milliseconds. */
const CHECK_INTERVAL_MS = 2_000;

const CHECK_TIMEOUT_MS = 2_000;

interface ListenerOptions {
  /** The pool whose connections send notifications. */
  readonly pool: pg.Pool;
  readonly onCommit: () => void;
  readonly onWatchers: () => void;
  readonly onSessionEnded: (idHash: string) => void;
  /** Called once when the connection is lost, and once when it is back, regardless of failed attempts in between. */
  readonly onNotifications: (state: NotificationState) => void;
  /** The longest delay of a notification at the start, in milliseconds; 2,000 unless given. */
  readonly notificationTimeoutMs?: number | undefined;
}

/**
 * Calls a function when any process may have committed changes. Listens on a separate connection, which is replaced
 * when it is lost, at growing intervals of up to 2 s. Each new connection calls the function as well, because
 * notifications may have been missed.
 *
 * The connection is checked every two seconds: a connection that only receives does not notice that its server or the
 * network is gone.
 * @returns the subscription, when a notification that the pool has sent has arrived
 * @throws NotificationsLostError when it does not arrive; the error of the connection that fails meanwhile
 */
export async function listenForCommits(
  url: string,
  { pool, onCommit, onWatchers, onSessionEnded, onNotifications, notificationTimeoutMs }: ListenerOptions,
): Promise<{ close(): Promise<void> }> {
  const own = ownNotification(pool, notificationTimeoutMs);
  const listen = [CHANNEL, WATCHERS, SESSION_ENDED, OWN_CHANNEL].map((channel) => `LISTEN ${channel}`).join('; ');
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let backoff: IBackoff<unknown> = BACKOFF.next();
  let isClosed = false;
  let isLost = false;

  const lost = (reason: unknown) => {
    own.fail(reason);
    if (isLost || isClosed) return;
    isLost = true;
    onNotifications({ isLost, reason });
  };
  const reconnect = () => {
    if (isClosed) return;
    timer = setTimeout(connect, backoff.duration);
    backoff = backoff.next(undefined);
  };
  const check = (current: pg.Client) => {
    timer = setTimeout(() => {
      // Has no effect, but shows the purpose of the connection in pg_stat_activity.
      current.query(listen).then(
        () => check(current),
        // The `end` event of the connection follows.
        (error: unknown) => fail(current, error),
      );
    }, CHECK_INTERVAL_MS);
  };
  const fail = (current: pg.Client, error: unknown) => {
    lost(error);
    return current.end().catch(() => {});
  };
  const connect = () => {
    const current = new pg.Client({ ...connectionOptions(url), query_timeout: CHECK_TIMEOUT_MS });
    client = current;
    current.on('notification', ({ channel, payload = '' }) => {
      if (channel === OWN_CHANNEL) own.receive(payload);
      else if (channel === SESSION_ENDED) onSessionEnded(payload);
      else if (channel === WATCHERS) onWatchers();
      else onCommit();
    });
    // `end` follows every error of the connection, once.
    current.on('error', lost);
    current.once('end', () => {
      lost(new Error('The server closed the connection'));
      clearTimeout(timer);
      reconnect();
    });
    current
      .connect()
      .then(() => current.query(listen))
      .then(
        () => {
          backoff = BACKOFF.next();
          if (isLost) onNotifications({ isLost: false });
          isLost = false;
          onCommit();
          onWatchers();
          void own.send();
          if (!isClosed) check(current);
        },
        (error: unknown) => fail(current, error),
      );
  };
  const close = async () => {
    isClosed = true;
    clearTimeout(timer);
    await client?.end().catch(() => {});
  };
  connect();
  try {
    await own.arrived;
    return { close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Channel of the notifications that a process sends to itself. */
const OWN_CHANNEL = 'notification_check';

/** A notification that a process sends to itself at the start, to check that notifications arrive. */
function ownNotification(pool: pg.Pool, timeoutMs = 2_000) {
  const payload = randomUUID();
  const { promise: arrived, resolve, reject } = Promise.withResolvers<void>();
  let isSent = false;
  return {
    arrived,
    /** Rejects `arrived`, unless it has resolved. */
    fail: reject,
    receive(received: string): void {
      if (received === payload) resolve();
    },
    /** Sends the notification once, on a connection of the pool. */
    async send(): Promise<void> {
      if (isSent) return;
      isSent = true;
      await pool.query('SELECT pg_notify($1, $2)', [OWN_CHANNEL, payload]).catch(reject);
      // Processes received bytes first: a busy process may not have read them yet.
      const over = () => setImmediate(() => reject(new NotificationsLostError(timeoutMs)));
      const timer = setTimeout(over, timeoutMs);
      const clear = () => clearTimeout(timer);
      arrived.then(clear, clear);
    },
  };
}
