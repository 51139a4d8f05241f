import { declaredSchemas, maxRecordBytes, patchBodyBytes } from '@guild-settings/contract';
import { type Around, drainOnClose } from '@guild-settings/runtime/http-server';
import type { Redactor } from '@guild-settings/runtime/log';
import { LAST_BACKUP, lastBackupSeconds } from '@guild-settings/runtime/metrics';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { Arrivals } from './arrival/arrivals.ts';
import type { WatcherRowTimes } from './arrival/watcher-rows.ts';
import { createAuthenticator } from './auth/authenticator.ts';
import { createLookupQueue, type LookupQueue } from './auth/discord-lookups.ts';
import { GrantedAccess } from './auth/granted-access.ts';
import { createPrincipalLimit, createStreamLimit } from './auth/limits.ts';
import { MemberRoles } from './auth/member-roles.ts';
import { OwnApplication } from './auth/own-application.ts';
import { applicationTokens } from './auth/token-check.ts';
import { type Clock, SYSTEM_CLOCK } from './clock.ts';
import type { Config } from './config.ts';
import { AccessService } from './domain/access-service.ts';
import { commandInterpreter, isRefusal } from './domain/apply-command.ts';
import { ChangeLog } from './domain/change-log.ts';
import type { Command } from './domain/command.ts';
import { GuildService } from './domain/guild-service.ts';
import { HistoryService } from './domain/history-service.ts';
import { PersonService } from './domain/person-service.ts';
import { PresenceService } from './domain/presence-service.ts';
import { Records } from './domain/record.ts';
import { Retention } from './domain/retention.ts';
import { serveDeclaration } from './domain/serve-declaration.ts';
import { TransferService } from './domain/transfer-service.ts';
import { Feed } from './feed/feed.ts';
import { createBotServices } from './guild-lookups/bot-services.ts';
import { BOT_LOOKUPS, type Pace, ROLE_LOOKUPS } from './guild-lookups/requests.ts';
import { apiRedactor } from './observability/log.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';
import type { Services } from './operations/call.ts';
import { builtPage, openPage, type Page } from './page/page.ts';
import { ErasureLedger } from './store/erasure/erasure-ledger.ts';
import { measuredStore, measureStoreLoad, StoreHealth, type StoreVerdict } from './store/measured-store.ts';
import { openStore } from './store/open-store.ts';
import type { NotificationState, Store } from './store/store.ts';
import { createServer, type ServerOptions } from './transport/create-server.ts';
import { mountDocs, mountProblemPages } from './transport/docs.ts';
import { mountStreams } from './transport/event-streams.ts';
import { FastPath } from './transport/fast-path.ts';
import { mountHealth } from './transport/health-routes.ts';
import { PublicDocuments } from './transport/public-documents.ts';
import { collectMethods, limitStrangers, mountOtherMethods } from './transport/receive-requests.ts';
import { Cors } from './transport/response-headers.ts';
import { boundResponses, UnsentResponses } from './transport/responses.ts';
import { mountRest } from './transport/rest/rest-routes.ts';
import { mountTrpc } from './transport/trpc/trpc-routes.ts';

export type App = FastifyInstance;

export interface AppOptions extends Pick<ServerOptions, 'around' | 'logger' | 'timeouts'> {
  readonly clock?: Clock;
  /**
   * Intervals at which processes with a shared database exchange the state of watchers; the production values unless
   * given.
   */
  readonly watcherTimes?: WatcherRowTimes;
  /** Milliseconds without an event after which a stream sends a heartbeat; 5,000 unless given. */
  readonly idleMs?: number;
  /** The rate of requests to Discord with the bot's token; 20 a second unless given. */
  readonly botPace?: Pace;
  /** True: a SQLite database may be created beside the files of a lost one. False unless given. */
  readonly isNewDatabaseAllowed?: boolean;
  /**
   * A token that /docs shows to every reader and fills in for its requests, for a service whose tokens are public. The
   * production service sets none, and no variable does.
   */
  readonly publicToken?: string | undefined;
}

/**
 * Creates the service: store, services, hooks and routes. Closing the instance closes the store.
 * @throws StoreUnavailableError when the database cannot be opened
 */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const { clock = SYSTEM_CLOCK, isNewDatabaseAllowed = false } = options;
  const metrics = createMetrics();
  const redactor = apiRedactor(config);
  const pageFolder = config.page && builtPage();
  const hasPage = config.page !== undefined;
  const cors = new Cors(config.server.corsOrigins, hasPage);
  const { logger, timeouts } = options;
  const fastPath = new FastPath();
  const around: Around = (serve) => (options.around ?? ((inner) => inner))(fastPath.around(serve));
  const app = createServer(config.server, { redactor, metrics, cors, hasPage, around, logger, timeouts });
  const records = new Records(config.settings, ({ field }) => metrics.unfitValue(field));
  let feed: Feed | undefined;
  let arrivals: Arrivals | undefined;
  let page: Page | undefined;
  const onArrivalError = (error: unknown) =>
    app.log.warn({ err: error }, 'the state of watchers could not be read or stored');
  const opened = await openStore(config.database, {
    apply: commandInterpreter(clock, records),
    onCommit: () => feed?.wake(),
    isNewAllowed: isNewDatabaseAllowed,
    ledger: config.erasureLedger === undefined ? undefined : new ErasureLedger(config.erasureLedger),
    onWarning: (message) => app.log.warn(message),
    onWatchers: () => void arrivals?.refresh().catch(onArrivalError),
    onSessionEnded: (idHash) => page?.sessions.ended(idHash),
    onNotifications: (state) => logNotifications(app.log, state),
  });
  await serveDeclaration(opened, config.settings).catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  const storeHealth = new StoreHealth(opened, verdictLog(app.log));
  // The order matters: the readiness checks use the store themselves.
  measureStoreLoad(opened, metrics);
  metrics.gauge('store_ready', async () => {
    const { read, write } = await storeHealth.verdict();
    return { read: read === undefined ? 1 : 0, write: write === undefined ? 1 : 0 };
  });
  const { database } = config;
  if (database.kind === 'sqlite') metrics.gauge(LAST_BACKUP.name, () => lastBackupSeconds(database.path));
  const store = measuredStore(opened, { metrics, health: storeHealth, onCommit: () => feed?.wake(), isRefusal });
  feed = new Feed(store, records, clock.monotonicMs, options.idleMs);
  arrivals = new Arrivals({
    store,
    feed,
    clock,
    onAcknowledgement: metrics.arrival,
    onError: onArrivalError,
    times: options.watcherTimes,
  });
  await arrivals.load();
  metrics.gauge('guild_settings_watchers', () => arrivals.counts());
  if (config.page !== undefined && pageFolder !== undefined)
    page = openPage(config.page, { folder: pageFolder, app, discord: config.discord, store, clock, metrics });
  const queues = {
    tokens: createLookupQueue(),
    bot: createLookupQueue(BOT_LOOKUPS),
    roles: createLookupQueue(ROLE_LOOKUPS),
  };
  const { isClosing } = drainOnClose(app, {
    close: () => {
      for (const queue of Object.values(queues)) queue.close();
    },
  });
  app.addHook('preClose', async () => {
    feed.close();
    arrivals.end();
  });
  const retention = new Retention({
    store,
    clock,
    log: app.log,
    times: config.retention,
    confirmedUntilMs: config.retentionConfirmedUntilMs,
  });
  retention.start();
  app.addHook('onClose', async () => {
    await retention.stop();
    await arrivals.close();
    await storeHealth.close();
    await page?.sessions.close();
    await store.close();
  });

  const services = createServices(config, {
    queues,
    store,
    records,
    feed,
    arrivals,
    metrics,
    clock,
    redactor,
    log: app.log,
    retention,
    botPace: options.botPace,
  });
  const methods = collectMethods(app);
  const unsent = new UnsentResponses();
  boundResponses(app, unsent);
  limitStrangers(app, {
    perMinute: config.rateLimitPerMinute,
    monotonicMs: clock.monotonicMs,
    isKnown: (token) => services.authenticator.hasAccepted(token),
    hasKnownSession: page && ((request) => page.requests.isKnown(request)),
  });
  const documents = new PublicDocuments(config.settings);
  mountTrpc(app, { services, documents, unsent, sessions: page?.requests });
  mountStreams(app, { services, metrics, sessions: page?.requests });
  mountRest(app, { services, documents, unsent });
  mountDocs(app, { settings: config.settings, publicToken: options.publicToken, pageOrigin: config.page?.url });
  mountProblemPages(app);
  mountHealth(app, { storeHealth, metrics, isClosing, retention, hasBotToken: config.discord.botToken !== undefined });
  await page?.mount(services).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  mountOtherMethods(app, methods, cors);
  fastPath.mount({ services, metrics, isClosing, cors, hasPage, log: app.log });
  return app;
}

function logNotifications(log: FastifyBaseLogger, state: NotificationState): void {
  if (state.isLost) log.warn({ err: state.reason }, 'commit notifications are lost: events may be up to 5 s late');
  else log.info('commit notifications are received again');
}

function verdictLog(log: FastifyBaseLogger): (verdict: StoreVerdict) => void {
  let last: StoreVerdict = { read: undefined, write: undefined };
  return (verdict) => {
    const { read, write } = verdict;
    if (read === undefined && write === undefined) log.info('the store can be read and written again');
    if (read !== undefined && last.read === undefined) log.error({ err: read.reason }, 'the store cannot be read');
    if (write !== undefined && last.write === undefined)
      log.error({ err: write.reason }, 'the store cannot be written');
    last = verdict;
  };
}

interface ServiceParts {
  readonly queues: Readonly<Record<'tokens' | 'bot' | 'roles', LookupQueue>>;
  readonly store: Store<Command>;
  readonly records: Records;
  readonly feed: Feed;
  readonly arrivals: Arrivals;
  readonly retention: Retention;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly log: FastifyBaseLogger;
  readonly botPace: Pace | undefined;
}

function createServices(
  config: Config,
  { queues, store, records, feed, arrivals, metrics, clock, redactor, log, retention, botPace }: ServiceParts,
): Services {
  const lookups = createBotServices(config.discord, { queues, metrics, clock, log, pace: botPace });
  const { monotonicMs } = clock;
  const application = new OwnApplication({ ...config.discord, monotonicMs, readAsBot: lookups?.readApplication });
  const { applicationId } = config.discord;
  // Logged at debug level only: the health check reports an unusable store.
  const onError = (error: unknown) =>
    log.debug({ err: error }, "a check of the application's token could not be stored");
  const { changeLogBytesPerDay } = config;
  const guilds = new GuildService({
    store,
    clock,
    records,
    changeLogBytesPerDay,
    inviteUrlOf: application.inviteUrlOf,
  });
  const changeLog = new ChangeLog(store, records.settings);
  const tokens = applicationTokens({ applicationId, store, clock, onError });
  const authenticator = createAuthenticator(config, {
    applicationTokens: tokens,
    application,
    queue: queues.tokens,
    metrics,
    clock,
    redactor,
    log,
  });
  const roles = new MemberRoles({
    ofToken: authenticator.rolesOf,
    ofBot: lookups?.rolesOf,
    monotonicMs,
    ...config.auth,
  });
  return {
    authenticator,
    granted: new GrantedAccess(store, roles),
    application,
    principalLimit: createPrincipalLimit({ perMinute: config.rateLimitPerMinute, monotonicMs: clock.monotonicMs }),
    guilds,
    accessLists: new AccessService({ store, log: changeLog, records, changeLogBytesPerDay }),
    records,
    schemas: records.settings.tag === undefined ? undefined : declaredSchemas(records.settings),
    bodyBytes: patchBodyBytes(records.settings),
    recordBytes: maxRecordBytes(records.settings),
    history: new HistoryService(changeLog, guilds, records),
    transfer: new TransferService({ log: changeLog, guilds, records, clock }),
    people: new PersonService(store, clock.nowMs, (error) =>
      log.warn({ err: error }, "the erasure of a person's id was interrupted"),
    ),
    lookups,
    presence: new PresenceService(store, clock.nowMs, () => retention.ranAtMs),
    feed,
    arrivals,
    streams: createStreamLimit(),
    monotonicMs,
  };
}
