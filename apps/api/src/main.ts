import { createApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';
import { closeOnSignal } from './ops/shutdown.ts';

try {
  const config = readConfig();
  const app = await createApp(config);
  closeOnSignal(app);
  await app.listen({ host: config.server.host, port: config.server.port });
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}
