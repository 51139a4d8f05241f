import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GrantOutcome } from '@guild-settings/client';
import type { Replica, ReplicaStatus } from '@guild-settings/replica';
import { describeMetrics, LAST_BACKUP, type MetricDescription, processMetrics } from '@guild-settings/runtime/metrics';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from '../config.ts';

export interface BotHealth {
  readonly isConnected: boolean;
  readonly isStopping: boolean;
  /** The state of the application's token: `ok`, or `failing` with the reason. */
  readonly token: string;
  readonly replica: ReplicaStatus & { readonly revision: number };
}

interface HealthServerOptions {
  readonly host: string;
  readonly port: number;
  readonly health: () => BotHealth;
  readonly metrics: BotMetrics;
  readonly onError?: (error: unknown) => void;
}

/** Server of /healthz (the process runs), /readyz (it handles commands) and /metrics. */
interface HealthServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the server. Rejects with code EADDRINUSE when the port is in use. */
export async function startHealthServer({
  host,
  port,
  health,
  metrics,
  onError,
}: HealthServerOptions): Promise<HealthServer> {
  const server = createServer((request, response) => {
    respond(request, response, { health, metrics }).catch((error: unknown) => {
      response.writeHead(500).end();
      onError?.(error);
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`, close: () => close(server) };
}

async function respond(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  { health, metrics }: Pick<HealthServerOptions, 'health' | 'metrics'>,
): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  switch (url.split('?', 1)[0]) {
    case '/healthz':
      return json(response, 200, { status: 'ok' });
    case '/readyz': {
      const { isConnected, isStopping, token, replica } = health();
      const isReady = isConnected && !isStopping && replica.state !== 'SYNCING';
      return json(response, isReady ? 200 : 503, {
        status: isReady ? 'ok' : 'unavailable',
        checks: {
          gateway: isConnected ? 'ok' : 'failing',
          accepting: isStopping ? 'failing' : 'ok',
          settings: replica.state === 'SYNCING' ? 'failing (none were received yet)' : 'ok',
          token,
        },
        replica,
      });
    }
    case '/metrics': {
      const { contentType, body } = await metrics.render();
      response.writeHead(200, { 'content-type': contentType }).end(body);
      return;
    }
    default:
      return json(response, 404, { message: 'Available are /healthz, /readyz and /metrics.' });
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  if (server.listening) await once(server, 'close');
}

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];

/** Metrics of one bot. Each instance has its own registry, so that tests do not share counts. */
export type BotMetrics = ReturnType<typeof botMetrics>;

interface Sources {
  readonly replica: Pick<Replica, 'metrics'>;
  readonly pendingReminders: () => number;
  readonly gatewayPing: () => number;
  readonly guilds: () => number;
  /** Returns seconds since 1970. */
  readonly lastBackup: () => number;
}

export function botMetrics({ replica, pendingReminders, gatewayPing, guilds, lastBackup }: Sources) {
  const registry = new Registry();
  const registers = [registry];
  const commands = new Counter({
    name: 'bot_commands_total',
    help: 'Commands, by trigger (slash, prefix, button, form) and by outcome: done, refused, failed; undelivered (executed, Discord did not accept the reply); limited and dropped (not executed).',
    labelNames: ['command', 'trigger', 'outcome'] as const,
    registers,
  });
  const tokenRequests = new Counter({
    name: 'bot_token_requests_total',
    help: 'Requests for a token of the application, by outcome: granted, refused, unavailable, malformed.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const lateness = new Histogram({
    name: 'bot_reminder_lateness_seconds',
    help: 'Delay with which reminders were delivered.',
    buckets: SECONDS,
    registers,
  });
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  gauge(
    'bot_replica_age_seconds',
    'Time since the settings were last up to date; 0 while they are.',
    () => replica.metrics.ageMs / 1_000,
  );
  gauge('bot_replica_revision', 'Revision of the settings.', () => replica.metrics.revision);
  gauge('bot_replica_guilds', 'Guilds with settings.', () => replica.metrics.guilds);
  gauge(
    'bot_replica_rejected_records',
    'Records that this version cannot read because the api is newer: upgrade the bot. The previous settings are used.',
    () => replica.metrics.rejected,
  );
  gauge('bot_reminders_pending', 'Reminders that are not sent yet.', pendingReminders);
  gauge('bot_gateway_ping_seconds', 'Heartbeat of the gateway; NaN before the first.', () =>
    gatewayPing() < 0 ? Number.NaN : gatewayPing() / 1_000,
  );
  gauge('bot_guilds', 'Guilds that this process is in.', guilds);
  gauge(LAST_BACKUP.name, LAST_BACKUP.help, lastBackup);
  new Gauge({
    name: 'guild_settings_build_info',
    help: 'Always 1, with the versions of the bot and of Node.',
    labelNames: ['version', 'node'] as const,
    registers,
  }).set({ version: VERSION, node: process.version }, 1);
  const counter = (name: string, help: string, value: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  counter('bot_replica_reads_total', 'Reads of settings.', () => replica.metrics.reads);
  counter('bot_replica_reconnects_total', 'Lost connections to the api.', () => replica.metrics.reconnects);

  return {
    render: async () => ({
      contentType: registry.contentType,
      body: await Registry.merge([processMetrics(), registry]).metrics(),
    }),
    describe: (): MetricDescription[] => describeMetrics(registry),
    command: (labels: { readonly command: string; readonly trigger: string; readonly outcome: string }) =>
      commands.inc(labels),
    tokenRequest: (outcome: GrantOutcome['outcome']) => tokenRequests.inc({ outcome }),
    reminder: (latenessMs: number) => lateness.observe(latenessMs / 1_000),
  };
}
