import { createApp, readConfig } from '@guild-settings/api';

/** Runs the api from its modules instead of the bundle, so that a profile distinguishes them. */
const config = readConfig();
const app = await createApp(config);
await app.listen({ host: config.server.host, port: config.server.port });
process.once('SIGTERM', () => void app.close());
