import { drainOnClose } from '@guild-settings/runtime/http-server';
import { createRedactor, type Redactor, urlSecrets } from '@guild-settings/runtime/log';
import type { FastifyInstance } from 'fastify';
import type { DashboardConfig } from '../config.ts';
import type { Clock } from './clock.ts';
import { DiscordOAuth } from './discord/discord-oauth.ts';
import { cookiesOf } from './http/cookies.ts';
import { createServer, type ServerOptions } from './http/create-server.ts';
import { mountHealth } from './http/health.ts';
import { createMetrics } from './http/metrics.ts';
import { mountPage } from './http/page-files.ts';
import { requireSameOrigin } from './http/same-origin.ts';
import { createServiceRequests } from './http/service-requests.ts';
import { callServiceOf } from './routes/call-service.ts';
import { mountFollow } from './routes/follow-route.ts';
import { createLoginLimit } from './routes/login-limit.ts';
import { mountLogin } from './routes/login-routes.ts';
import { requireSessionOf } from './routes/require-session.ts';
import { mountServiceCalls } from './routes/service-calls.ts';
import { mountSessions } from './routes/session-routes.ts';
import { openSessions } from './session/open-sessions.ts';
import { Sessions } from './session/sessions.ts';

export type Dashboard = FastifyInstance;

export interface DashboardOptions extends Pick<ServerOptions, 'around' | 'logger' | 'timeouts'> {
  readonly clock?: Clock;
}

const MAX_TOKENS = 200;

/** Creates the redactor of the log. It knows the secrets of the configuration, and access tokens once they are used. */
export function dashboardRedactor({ database, discord }: DashboardConfig): Redactor {
  const secrets = database.kind === 'postgres' ? urlSecrets([database.url]) : [];
  return createRedactor({ secrets: [...secrets, discord.clientSecret], maxAdded: MAX_TOKENS });
}

/** Creates the dashboard: sessions, hooks and routes. Closing the instance ends its streams and closes the database. */
export async function createDashboard(config: DashboardConfig, options: DashboardOptions = {}): Promise<Dashboard> {
  const { clock = Date.now, around, logger, timeouts } = options;
  const metrics = createMetrics();
  const redactor = dashboardRedactor(config);
  const app = await createServer(config, { redactor, metrics, around, logger, timeouts });
  const store = await openSessions(config.database, clock);
  const oauth = new DiscordOAuth(config, clock);
  const keys = config.sessionKeys;
  const sessions = new Sessions({ store, oauth, keys, clock, log: app.log, redactor, onRenewal: metrics.renewal });
  metrics.gauge('dashboard_streams', () => sessions.streams.size);
  app.addHook('preClose', async () => sessions.streams.close());
  const { isClosing } = drainOnClose(app, sessions.streams);
  app.addHook('onClose', () => sessions.close());
  await sessions.follow().catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  await sessions.removeExpired();

  const cookies = cookiesOf(config.url);
  const requireSession = requireSessionOf(sessions, cookies, config.server.rateLimitPerMinute);
  const sameOrigin = requireSameOrigin(config.url);
  mountHealth(app, { store, apiUrl: config.apiUrl, metrics, isClosing });
  const service = createServiceRequests(config.apiUrl);
  app.addHook('onClose', () => service.close());
  const page = await mountPage(app, {
    imageOrigin: config.discord.cdnUrl,
    links: config.links,
    hasSession: cookies.hasSession,
    service,
    clock,
  });
  const limit = createLoginLimit();
  mountLogin(app, { url: config.url, oauth, sessions, cookies, keys, clock, limit, metrics, page });
  mountSessions(app, { sessions, cookies, requireSession, sameOrigin });
  mountFollow(app, { service, sessions, requireSession, sameOrigin });
  mountServiceCalls(app, { callService: callServiceOf(service, sessions), requireSession, sameOrigin });
  return app;
}
