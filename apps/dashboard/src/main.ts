import {
  failureHint,
  listenRemedy,
  runProgram,
  StoppedBySignal,
  stopSignal,
} from '@guild-settings/runtime/command-line';
import { databaseName, EnvironmentError } from '@guild-settings/runtime/environment';
import { createRedactor, exitOnCrash } from '@guild-settings/runtime/log';
import { NotificationsLostError } from '@guild-settings/runtime/postgres-notifications';
import { EarlierDatabaseError, FileInUseError } from '@guild-settings/runtime/sqlite-file';
import { readDashboardConfig, startSecrets } from './config.ts';
import { createDashboard, dashboardRedactor } from './server/create-dashboard.ts';
import { VERSION } from './version.ts';

const PROGRAM = {
  summary: 'Runs the dashboard of guild-settings, configured by environment variables: docs/reference.md.',
  usage: ['node dist/main.js'],
  options: {},
};

/** Time after a signal at which the process exits, whatever is still open. */
const STOP_TIMEOUT_MS = 9_000;

await runProgram(
  PROGRAM,
  async () => {
    const config = readDashboardConfig();
    exitOnCrash(dashboardRedactor(config));
    const app = await createDashboard(config);
    app.log.info({ version: VERSION, node: process.version, store: databaseName(config.database) }, 'starting');
    const stop = stopSignal({ timeoutMs: STOP_TIMEOUT_MS });
    stop.addEventListener('abort', async () => {
      const { reason } = stop;
      app.log.info({ signal: reason instanceof StoppedBySignal ? reason.signal : undefined }, 'closing');
      await app.close();
      process.exitCode = 0;
    });
    await app.listen({ host: config.server.host, port: config.server.port }).catch(async (error: unknown) => {
      await app.close();
      throw error;
    });
  },
  (error) => {
    const { redact } = createRedactor({ secrets: startSecrets(), isStrict: true });
    return { output: redact(explain(error)), exitCode: 1 };
  },
);

/** Returns what an operator needs of an error: a line to act on, or the stack of an unexpected one. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const explained = [EnvironmentError, EarlierDatabaseError, NotificationsLostError];
  if (explained.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof FileInUseError)
    return `${error.message} Stop that process, or set DATABASE_URL to another file. Several processes can share a PostgreSQL database.`;
  const remedy = listenRemedy(error) ?? failureHint(error)?.hint;
  return remedy === undefined ? (error.stack ?? error.message) : `${reasonOf(error)}. ${remedy}`;
}

/** Returns the message of an error's innermost cause: those around it repeat statements. */
function reasonOf(error: Error): string {
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}
