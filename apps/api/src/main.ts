import { exitOnCrash } from '@guild-settings/log-redaction';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { apiRedactor } from './ops/log-options.ts';
import { secretsIn } from './ops/redact.ts';
import { closeOnSignal } from './ops/shutdown.ts';
import { readProgramOptions } from './program-options.ts';
import { explainStartFailure } from './start-failure.ts';

try {
  const options = readProgramOptions(process.argv.slice(2));
  const config = readConfig();
  exitOnCrash(apiRedactor(config));
  const app = await createApp(config, options);
  if (options.isNewDatabaseAllowed) {
    app.log.warn('started with --new: a lost database is replaced by an empty one; start without --new from now on');
  }
  closeOnSignal(app);
  await app.listen({ host: config.server.host, port: config.server.port }).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
} catch (error) {
  console.error(explainStartFailure(error, secretsIn([process.env.DATABASE_URL, process.env.DISCORD_API_URL])));
  process.exitCode = 1;
}
