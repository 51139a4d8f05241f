import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { closeOnSignal } from './ops/shutdown.ts';
import { explainStartFailure } from './ops/start-failure.ts';

try {
  const config = readConfig();
  const app = await createApp(config);
  closeOnSignal(app);
  await app.listen({ host: config.server.host, port: config.server.port }).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
} catch (error) {
  console.error(explainStartFailure(error));
  process.exitCode = 1;
}
