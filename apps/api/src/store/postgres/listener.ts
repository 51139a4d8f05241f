import { listenToPostgres, type PostgresListener } from '@guild-settings/postgres-notifications';
import { sql } from 'drizzle-orm';
import type { NotificationState } from '../store.ts';
import { connectionOptions, type PostgresDatabase } from './database.ts';

/** Channel by which processes are notified of commits. Processes of all versions use this name. */
const CHANNEL = 'guild_settings';

/** Channel of the messages between processes. */
const MESSAGES = 'guild_settings_messages';

/** Notifies all processes when the transaction that selects it commits. */
export const NOTIFY_COMMIT = sql`pg_notify(${CHANNEL}, '')`;

/** The callbacks of {@link listenForCommits}. */
export interface ListenerOptions {
  /** Called when any process may have committed changes. */
  readonly onCommit: () => void;
  /** Called with each message of any process. */
  readonly onMessage: (message: string) => void;
  /** Called when the connection is lost, and when it is back: once each, however many attempts fail in between. */
  readonly onNotifications: (state: NotificationState) => void;
}

/**
 * Calls a function when any process may have committed changes. Each new connection calls it as well, because notifications may
 * have been missed.
 */
export function listenForCommits(
  url: string,
  { onCommit, onMessage, onNotifications }: ListenerOptions,
): PostgresListener {
  return listenToPostgres({
    connection: connectionOptions(url),
    channels: [CHANNEL, MESSAGES],
    onNotification: ({ channel, payload }) => (channel === MESSAGES ? onMessage(payload) : onCommit()),
    onListening: onCommit,
    onState: onNotifications,
  });
}

/** Sends a message to every process. Not flushed to the disk: a process that misses it requests it again. */
export async function broadcast(db: PostgresDatabase, message: string): Promise<void> {
  await db.execute(sql`SELECT set_config('synchronous_commit', 'off', true), pg_notify(${MESSAGES}, ${message})`);
}
