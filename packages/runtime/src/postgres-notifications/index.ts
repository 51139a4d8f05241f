export { listenToPostgres, type NotificationState, type PostgresListener } from './listen-to-postgres.ts';
