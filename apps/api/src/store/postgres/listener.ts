import type { NotificationState } from '@guild-settings/runtime/postgres-notifications';
import {
  type ListenOptions,
  listenToPostgres,
  type PostgresListener,
} from '@guild-settings/runtime/postgres-notifications';
import { sql } from 'drizzle-orm';
import { connectionOptions } from './database.ts';

/** Channel by which processes are notified of commits. Processes of all versions use this name. */
const CHANNEL = 'guild_settings';

const WATCHERS = 'guild_settings_watchers';

/** Channel by which processes are notified of sessions that have ended. The payload is the hash of the id. */
export const SESSION_ENDED = 'guild_settings_session_ended';

/** Notifies all processes when the transaction that selects it commits. */
export const NOTIFY_COMMIT = sql`pg_notify(${CHANNEL}, '')`;

/** Notifies all processes of a change of watchers when the transaction that selects it commits. */
export const NOTIFY_WATCHERS = sql`pg_notify(${WATCHERS}, '')`;

/** The callbacks of {@link listenForCommits}, and the pool whose notifications have to arrive. */
export interface ListenerOptions extends Pick<ListenOptions, 'pool' | 'notificationTimeoutMs'> {
  readonly onCommit: () => void;
  readonly onWatchers: () => void;
  readonly onSessionEnded: (idHash: string) => void;
  /** Called when the connection is lost, and when it is back: once each, however many attempts fail in between. */
  readonly onNotifications: (state: NotificationState) => void;
}

/**
 * Calls a function when any process may have committed changes. Each new connection calls it as well, because notifications may
 * have been missed.
 * @throws NotificationsLostError when they do not arrive
 */
export function listenForCommits(
  url: string,
  { onCommit, onWatchers, onSessionEnded, onNotifications, ...more }: ListenerOptions,
): Promise<PostgresListener> {
  return listenToPostgres({
    ...more,
    connection: connectionOptions(url),
    channels: [CHANNEL, WATCHERS, SESSION_ENDED],
    onNotification({ channel, payload }) {
      if (channel === SESSION_ENDED) onSessionEnded(payload);
      else if (channel === WATCHERS) onWatchers();
      else onCommit();
    },
    onListening: () => {
      onCommit();
      onWatchers();
    },
    onState: onNotifications,
  });
}
