export {
  type ListenOptions,
  listenToPostgres,
  type NotificationState,
  type PostgresListener,
} from './listen-to-postgres.ts';
export { NotificationsLostError } from './notifications-lost-error.ts';
