import { createApp, readConfig } from '@guild-settings/api';
import { stopSignal } from '@guild-settings/command-line';

/** Runs the api from its modules instead of the one bundled file, so that a profile distinguishes them. */
const config = readConfig();
const app = await createApp(config);
await app.listen({ host: config.server.host, port: config.server.port });
stopSignal().addEventListener('abort', () => void app.close());
