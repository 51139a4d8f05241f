import { runProgram, StoppedBySignal, stopSignal } from '@guild-settings/command-line';
import { EnvironmentError } from '@guild-settings/environment';
import { createRedactor, exitOnCrash } from '@guild-settings/log-redaction';
import { readDashboardConfig, startSecrets } from './config.ts';
import { createDashboard, dashboardRedactor } from './server/create-dashboard.ts';

const PROGRAM = {
  summary: 'Runs the dashboard of guild-settings, configured by environment variables: docs/operations.md.',
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
    const isExpected = error instanceof EnvironmentError;
    const text = error instanceof Error ? (isExpected ? error.message : (error.stack ?? error.message)) : String(error);
    return { output: redact(text), exitCode: 1 };
  },
);
