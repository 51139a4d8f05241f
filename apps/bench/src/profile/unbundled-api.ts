import { createApp, readConfig } from '@guild-settings/api';

/** The api from its modules instead of the one file that it is run from, so that a profile tells them apart. */
const config = readConfig();
const app = await createApp(config);
await app.listen({ host: config.server.host, port: config.server.port });
process.once('SIGTERM', () => void app.close());
