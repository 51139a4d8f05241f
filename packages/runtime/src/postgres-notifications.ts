import { randomUUID } from 'node:crypto';
import { ExponentialBackoff, type IBackoff } from 'cockatiel';
import pg from 'pg';

const BACKOFF = new ExponentialBackoff({ initialDelay: 50, maxDelay: 2_000 });

/** Pause between two checks of the connection, in milliseconds. */
const CHECK_INTERVAL_MS = 2_000;

const CHECK_TIMEOUT_MS = 2_000;

interface PostgresNotification {
  readonly channel: string;
  readonly payload: string;
}

/** The state of the subscription, with the reason of a loss. */
export type NotificationState = { readonly isLost: false } | { readonly isLost: true; readonly reason: unknown };

export interface ListenOptions {
  readonly connection: pg.ClientConfig;
  /** The connections that send notifications. */
  readonly pool: pg.Pool;
  /** Names of channels: lower-case identifiers, which need no quotes. */
  readonly channels: readonly string[];
  readonly onNotification: (notification: PostgresNotification) => void;
  /** Called for each new connection: notifications may have been missed before it. */
  readonly onListening: () => void;
  /** Called when the connection is lost, and when it is back: once each, however many attempts fail in between. */
  readonly onState: (state: NotificationState) => void;
  /** The longest time of a notification at the start, in milliseconds; 2,000 unless given. */
  readonly notificationTimeoutMs?: number | undefined;
}

export interface PostgresListener {
  close(): Promise<void>;
}

/**
 * Listens to channels on a connection of its own, which is replaced when it is lost, at growing intervals of up to 2 s.
 *
 * The connection is checked every two seconds: one that only receives does not notice that its server, or the way there, is gone.
 * @returns the subscription, when a notification that the pool has sent has arrived
 * @throws NotificationsLostError when it does not arrive; the error of the connection that fails meanwhile
 */
export async function listenToPostgres(options: ListenOptions): Promise<PostgresListener> {
  const { connection, pool, channels, onNotification, onListening, onState } = options;
  const own = ownNotification(pool, options.notificationTimeoutMs);
  const listen = [...channels, OWN_CHANNEL].map((channel) => `LISTEN ${channel}`).join('; ');
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let backoff: IBackoff<unknown> = BACKOFF.next();
  let isClosed = false;
  let isLost = false;

  const lost = (reason: unknown) => {
    own.fail(reason);
    if (isLost || isClosed) return;
    isLost = true;
    onState({ isLost, reason });
  };
  const reconnect = () => {
    if (isClosed) return;
    timer = setTimeout(connect, backoff.duration);
    backoff = backoff.next(undefined);
  };
  const check = (current: pg.Client) => {
    timer = setTimeout(() => {
      // Changes nothing, and shows in pg_stat_activity what the connection is for.
      current.query(listen).then(
        () => check(current),
        // The end of the connection follows.
        (error: unknown) => fail(current, error),
      );
    }, CHECK_INTERVAL_MS);
  };
  const fail = (current: pg.Client, error: unknown) => {
    lost(error);
    return current.end().catch(() => {});
  };
  const connect = () => {
    const current = new pg.Client({ ...connection, query_timeout: CHECK_TIMEOUT_MS });
    client = current;
    current.on('notification', ({ channel, payload = '' }) => {
      if (channel === OWN_CHANNEL) own.receive(payload);
      else onNotification({ channel, payload });
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
          if (isLost) onState({ isLost: false });
          isLost = false;
          onListening();
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

/** Channel of the notifications that processes send to themselves. */
const OWN_CHANNEL = 'notification_check';

/** A notification that a process sends to itself at its start, which shows whether notifications arrive. */
function ownNotification(pool: pg.Pool, timeoutMs = 2_000) {
  const payload = randomUUID();
  const { promise: arrived, resolve, reject } = Promise.withResolvers<void>();
  let isSent = false;
  return {
    arrived,
    /** Rejects `arrived`, unless it has arrived. */
    fail: reject,
    receive(received: string): void {
      if (received === payload) resolve();
    },
    /** Sends it once, on a connection of the pool. */
    async send(): Promise<void> {
      if (isSent) return;
      isSent = true;
      await pool.query('SELECT pg_notify($1, $2)', [OWN_CHANNEL, payload]).catch(reject);
      // Received bytes are processed first: a process that was busy all the time has not read them yet.
      const over = () => setImmediate(() => reject(new NotificationsLostError(timeoutMs)));
      const timer = setTimeout(over, timeoutMs);
      const clear = () => clearTimeout(timer);
      arrived.then(clear, clear);
    },
  };
}

/** Thrown when PostgreSQL accepts LISTEN and a notification does not arrive. */
export class NotificationsLostError extends Error {
  override readonly name = 'NotificationsLostError';

  constructor(timeoutMs: number) {
    super(
      `PostgreSQL accepts LISTEN, but a notification did not arrive within ${timeoutMs / 1_000} s. PgBouncer in transaction mode drops them: set DATABASE_URL to the address of PostgreSQL itself, or of a pool in session mode.`,
    );
  }
}
