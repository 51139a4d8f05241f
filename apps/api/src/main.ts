import { flag, runProgram, StoppedBySignal, stopSignal } from '@guild-settings/runtime/command-line';
import { databaseName } from '@guild-settings/runtime/environment';
import { createRedactor, exitOnCrash } from '@guild-settings/runtime/log';
import type { FastifyInstance } from 'fastify';
import { createApp } from './app.ts';
import { hasApiUrl, readConfig, startSecrets } from './config.ts';
import { apiRedactor } from './observability/log.ts';
import { ownCommand, VERSION } from './own-package.ts';
import { explainStartFailure } from './start-failure.ts';

const PROGRAM = {
  summary: 'Runs the guild-settings service, configured by environment variables: docs/reference.md.',
  usage: [ownCommand('main', '[--new]')],
  options: { new: flag('create a new SQLite database, or ledger of erasures, in place of a lost one') },
};

const NO_API_URL = 'API_URL is set but has no effect: this service serves the page itself, at DASHBOARD_URL';

/** Time after a signal at which the process exits even if connections are still open. */
const STOP_TIMEOUT_MS = 9_000;

await runProgram(
  PROGRAM,
  async ({ new: isNewDatabaseAllowed }) => {
    const config = readConfig();
    exitOnCrash(apiRedactor(config));
    const app = await createApp(config, { isNewDatabaseAllowed });
    app.log.info({ version: VERSION, node: process.version, store: databaseName(config.database) }, 'starting');
    if (hasApiUrl()) app.log.warn(NO_API_URL);
    if (config.discord.botToken === undefined) {
      app.log.warn('DISCORD_BOT_TOKEN is not set: channels, roles and names of members cannot be listed');
    }
    closeOnStop(app, stopSignal({ timeoutMs: STOP_TIMEOUT_MS }));
    await app.listen({ host: config.server.host, port: config.server.port }).catch(async (error: unknown) => {
      await app.close();
      throw error;
    });
  },
  (error) => {
    const secrets = startSecrets(process.argv);
    return { output: explainStartFailure(error, createRedactor({ secrets, isStrict: true })), exitCode: 1 };
  },
);

function closeOnStop(app: FastifyInstance, stop: AbortSignal): void {
  stop.addEventListener('abort', async () => {
    const { reason } = stop;
    app.log.info({ signal: reason instanceof StoppedBySignal ? reason.signal : undefined }, 'closing');
    try {
      await app.close();
      process.exitCode = 0;
    } catch (error) {
      app.log.error({ err: error }, 'closing failed');
      process.exitCode = 1;
    }
    // The IPC channel of a cluster manager would keep this process alive.
    process.channel?.unref();
  });
}
