import { flag, runProgram, stopSignal } from '@guild-settings/runtime/command-line';
import { databaseName } from '@guild-settings/runtime/environment';
import { createRedactor, exitOnCrash } from '@guild-settings/runtime/log';
import { createApp } from './app.ts';
import { hasApiUrl, readConfig, startSecrets } from './config.ts';
import { apiRedactor } from './ops/log-options.ts';
import { closeOnStop, STOP_TIMEOUT_MS } from './ops/shutdown.ts';
import { ownCommand } from './own-command.ts';
import { explainStartFailure } from './start-failure.ts';
import { VERSION } from './version.ts';

const PROGRAM = {
  summary: 'Runs the guild-settings service, configured by environment variables: docs/reference.md.',
  usage: [ownCommand('main', '[--new]')],
  options: { new: flag('create a new SQLite database, or ledger of erasures, where the old one was lost') },
};

const NO_API_URL = 'API_URL is set, and has no effect: this service serves the page itself, at DASHBOARD_URL';

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
