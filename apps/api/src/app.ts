import type { Redactor } from '@guild-settings/log-redaction';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { applicationTokens } from './auth/application-tokens.ts';
import { Authenticator } from './auth/authenticator.ts';
import { createDiscordApi } from './auth/discord-api.ts';
import { createInvalidTokenLimit } from './auth/invalid-token-limit.ts';
import { createLookupQueue, type LookupQueue } from './auth/lookup-queue.ts';
import { createPrincipalLimit } from './auth/principal-limit.ts';
import { createTokenCheck } from './auth/token-check.ts';
import { type Clock, SYSTEM_CLOCK } from './clock.ts';
import type { Config } from './config.ts';
import { commandInterpreter, isRefusal } from './domain/apply-command.ts';
import type { Command } from './domain/command.ts';
import { GuildService } from './domain/guild-service.ts';
import { HistoryService } from './domain/history-service.ts';
import { PresenceService } from './domain/presence-service.ts';
import { Retention } from './domain/retention.ts';
import { Feed } from './feed/feed.ts';
import type { Services } from './operations/call.ts';
import { apiRedactor } from './ops/log-options.ts';
import { createMetrics, type Metrics } from './ops/metrics.ts';
import { drainOnClose } from './ops/shutdown.ts';
import { measuredStore } from './store/measured-store.ts';
import { openStore } from './store/open-store.ts';
import type { Store } from './store/store.ts';
import { StoreHealth, type StoreVerdict } from './store/store-health.ts';
import { mountDocs } from './transport/docs/docs.ts';
import { mountFastPath } from './transport/fast-path/fast-path.ts';
import { createServer, type ServerOptions } from './transport/fastify/create-server.ts';
import { collectMethods, mountOtherMethods } from './transport/fastify/other-methods.ts';
import { mountHealth } from './transport/health/health-routes.ts';
import { mountProblemPages } from './transport/problems/problem-pages.ts';
import { mountRest } from './transport/rest/rest-routes.ts';
import { mountWatch } from './transport/sse/watch-stream.ts';
import { mountTrpc } from './transport/trpc/trpc-routes.ts';

/** The service as one Fastify instance, ready to listen. */
export type App = FastifyInstance;

export interface AppOptions extends Pick<ServerOptions, 'logger' | 'timeouts'> {
  /** Default: the clocks of this machine. */
  readonly clock?: Clock;
  /** Whether a SQLite database may be created beside the files of a lost one; false unless given. */
  readonly isNewDatabaseAllowed?: boolean;
}

/**
 * Creates the service: store, services, hooks and routes. Closing the instance closes the store.
 * @throws StoreUnavailableError when the database cannot be opened
 */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const { clock = SYSTEM_CLOCK, isNewDatabaseAllowed = false } = options;
  const metrics = createMetrics();
  const redactor = apiRedactor(config);
  let feed: Feed | undefined;
  const warnings: string[] = [];
  const opened = await openStore(config.database, {
    apply: commandInterpreter(clock),
    onCommit: () => feed?.wake(),
    isNewAllowed: isNewDatabaseAllowed,
    onWarning: (message) => warnings.push(message),
  });
  const storeHealth = new StoreHealth(opened, (verdict) => logVerdict(app.log, verdict));
  metrics.storeReadiness(() => storeHealth.verdict());
  const store = measuredStore(opened, { metrics, health: storeHealth, onCommit: () => feed?.wake(), isRefusal });
  feed = new Feed(store, clock.monotonicMs);
  const app = await createServer(config.server, {
    redactor,
    metrics,
    logger: options.logger,
    timeouts: options.timeouts,
  });
  for (const message of warnings) app.log.warn(message);
  const lookups = createLookupQueue();
  const { isClosing } = drainOnClose(app, lookups);
  app.addHook('preClose', async () => feed.close());
  const retention = new Retention({
    store,
    clock,
    log: app.log,
    confirmedUntilMs: config.retentionConfirmedUntilMs,
  });
  retention.start();
  app.addHook('onClose', async () => {
    await retention.stop();
    await store.close();
  });

  const onError = (error: unknown) => app.log.warn({ err: error }, "a check of the application's token is not kept");
  const services = createServices(config, { lookups, store, feed, metrics, clock, redactor, onError, retention });
  const methods = collectMethods(app);
  mountTrpc(app, services);
  mountWatch(app, services);
  mountRest(app, services);
  mountDocs(app);
  mountProblemPages(app);
  mountHealth(app, { storeHealth, metrics, isClosing, retention });
  mountOtherMethods(app, methods);
  mountFastPath(app, { services, metrics, isClosing, corsOrigins: config.server.corsOrigins });
  return app;
}

function logVerdict(log: FastifyBaseLogger, { read, write }: StoreVerdict): void {
  if (read === undefined && write === undefined) log.info('the store can be read and written again');
  if (read !== undefined) log.error({ err: read.reason }, 'the store cannot be read');
  if (write !== undefined) log.error({ err: write.reason }, 'the store cannot be written');
}

interface ServiceParts {
  readonly lookups: LookupQueue;
  readonly store: Store<Command>;
  readonly feed: Feed;
  readonly retention: Retention;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly redactor: Redactor;
  /** Called with the error when a check of the application's token could not be stored. */
  readonly onError: (error: unknown) => void;
}

function createServices(
  config: Config,
  { lookups, store, feed, metrics, clock, redactor, onError, retention }: ServiceParts,
): Services {
  const check = createTokenCheck({
    discord: createDiscordApi({ apiUrl: config.discord.apiUrl, metrics, onToken: redactor.add }),
    applicationId: config.discord.applicationId,
    limit: createInvalidTokenLimit(),
    queue: lookups,
    clock,
  });
  const { applicationId } = config.discord;
  const guilds = new GuildService(store, clock, config.changeLogBytesPerDay);
  const tokens = applicationTokens({ applicationId, store, clock, onError });
  return {
    authenticator: new Authenticator({
      check,
      applicationTokens: tokens,
      applicationId,
      monotonicMs: clock.monotonicMs,
      metrics,
      ...config.auth,
    }),
    principalLimit: createPrincipalLimit(config.rateLimitPerMinute),
    guilds,
    history: new HistoryService(store, guilds),
    presence: new PresenceService(store, clock.nowMs, () => retention.ranAtMs),
    feed,
    monotonicMs: clock.monotonicMs,
  };
}
