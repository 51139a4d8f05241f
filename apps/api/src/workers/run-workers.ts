import { stopSignal } from '@guild-settings/command-line';
import pino from 'pino';
import { SYSTEM_CLOCK } from '../clock.ts';
import type { Config } from '../config.ts';
import { commandInterpreter } from '../domain/apply-command.ts';
import { REFUSAL_CODEC } from '../domain/refusal-codec.ts';
import { apiRedactor, logOptions } from '../ops/log-options.ts';
import { openLogOutput } from '../ops/log-output.ts';
import { STOP_TIMEOUT_MS, stopReason } from '../ops/shutdown.ts';
import { ErasureLedger } from '../store/erasure/erasure-ledger.ts';
import { openStore } from '../store/open-store.ts';
import { StoreServer } from '../store/workers/store-server.ts';
import { WorkerPool, WorkerStartError } from './worker-pool.ts';

interface RunWorkersOptions {
  /** Whether a SQLite database may be created beside the files of a lost one. */
  readonly isNewDatabaseAllowed: boolean;
}

/**
 * Runs the service in several processes: this one opens the SQLite file and does all writes, and workers serve requests. With
 * PostgreSQL it only starts the workers, which open the database themselves.
 */
export async function runWorkers(config: Config, { isNewDatabaseAllowed }: RunWorkersOptions): Promise<void> {
  const log = pino({ level: config.server.logLevel, ...logOptions(apiRedactor(config)) }, openLogOutput());
  let server: StoreServer<never> | undefined;
  const { database, erasureLedger } = config;
  const store =
    database.kind === 'postgres'
      ? undefined
      : await openStore(database, {
          apply: commandInterpreter(SYSTEM_CLOCK),
          onCommit: () => {},
          onOwnCommit: () => server?.committed(),
          isNewAllowed: isNewDatabaseAllowed,
          onCleanUpError: (error) =>
            log.warn({ err: error }, 'the free space of the database has bytes of what was erased'),
          ledger: erasureLedger === undefined ? undefined : new ErasureLedger(erasureLedger),
          onWarning: (message) => log.warn(message),
          onNotifications: () => {},
        });
  server = store && new StoreServer(store, REFUSAL_CODEC);
  const pool = new WorkerPool({
    count: config.workers,
    log,
    connect: server && ((send) => server.connect(send)),
  });
  const stop = stopSignal({ timeoutMs: STOP_TIMEOUT_MS });
  stop.addEventListener('abort', async () => {
    log.info({ signal: stopReason(stop) }, 'closing');
    await pool.stop();
    await store?.close();
  });
  try {
    await pool.start();
    log.info({ workers: config.workers }, 'all workers listen');
  } catch (error) {
    if (stop.aborted) return;
    pool.kill();
    await store?.close();
    if (!(error instanceof WorkerStartError)) throw error;
    process.exitCode = error.exitCode;
  }
}
