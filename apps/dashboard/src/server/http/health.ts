import { redirectText } from '@guild-settings/runtime/redirect';
import type { FastifyInstance } from 'fastify';
import type { SessionStore } from '../session/session-store.ts';
import { forwardedFor } from './forwarded-for.ts';
import type { Metrics } from './metrics.ts';
import { serviceAt } from './service-requests.ts';

/** Time that a check has. A load balancer waits for 5 s, as a rule. */
const CHECK_TIMEOUT_MS = 2_000;

/** The address by which the service shows whether it trusts this dashboard: one for documentation, which no client has (RFC 5737). */
const SAMPLE_ADDRESS = '192.0.2.1';

const NOT_TRUSTED =
  'The api does not take the addresses of clients from this dashboard, so that its limits count all people as one client. Name the address of the dashboard in TRUST_PROXY of the api.';

/** Time for which the result of a check is used: requests for /readyz cost no more than that. */
const CHECK_INTERVAL_MS = 1_000;

interface HealthOptions {
  readonly store: Pick<SessionStore, 'check'>;
  readonly apiUrl: string;
  readonly metrics: Metrics;
  readonly isClosing: () => boolean;
}

const PROBE = { config: { isProbe: true } };

/**
 * Mounts /healthz (the process is alive), /readyz (it can serve requests) and /metrics. Checks the service at the start, and warns
 * where it does not trust this dashboard as a proxy, or API_URL redirects.
 */
export function mountHealth(app: FastifyInstance, { store, apiUrl, metrics, isClosing }: HealthOptions): void {
  const areSessionsWorking = repeatedly(() => store.check());
  let isTrusted = true;
  let redirect: string | undefined;
  const isServiceReachable = repeatedly(async (signal) => {
    const url = `${apiUrl}/healthz`;
    const headers = forwardedFor({ ip: SAMPLE_ADDRESS });
    const response = await fetch(url, { signal, headers, redirect: 'manual' });
    const before = redirect;
    const { status } = response;
    redirect = redirectText(serviceAt(apiUrl), url, { status, location: response.headers.get('location') });
    if (redirect !== undefined && redirect !== before) app.log.error(redirect);
    const health = (await response.json().catch(() => null)) as { readonly forwardedFor?: unknown } | null;
    if (!response.ok) throw new Error('The settings service is not well');
    const wasTrusted = isTrusted;
    isTrusted = health?.forwardedFor === 'trusted';
    if (wasTrusted && !isTrusted) app.log.warn(NOT_TRUSTED);
  });
  app.addHook('onListen', (done) => {
    void isServiceReachable();
    done();
  });
  metrics.gauge('dashboard_sessions_ready', async () => ((await areSessionsWorking()) ? 1 : 0));
  metrics.gauge('dashboard_service_reachable', async () => ((await isServiceReachable()) ? 1 : 0));

  app.route({
    method: ['GET', 'HEAD'],
    url: '/healthz',
    ...PROBE,
    handler: async (_request, reply) => reply.send({ status: 'ok' }),
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: '/readyz',
    ...PROBE,
    handler: async (_request, reply) => {
      const [isWorking, isReachable] = await Promise.all([areSessionsWorking(), isServiceReachable()]);
      const checks = { sessions: isWorking ? 'ok' : 'failing', accepting: isClosing() ? 'failing' : 'ok' };
      const isReady = Object.values(checks).every((check) => check === 'ok');
      reply.code(isReady ? 200 : 503);
      // While the service is away, the page says so. Without dashboards, people would see the error of a proxy.
      const service = isReachable ? 'ok' : 'unreachable';
      return reply.send({ status: isReady ? 'ok' : 'unavailable', checks, service });
    },
  });

  app.get('/metrics', PROBE, async (_request, reply) => {
    const { contentType, body } = await metrics.render();
    return reply.type(contentType).send(body);
  });
}

/** Returns a function that runs a check, at most once in an interval, and returns whether it has succeeded in time. */
function repeatedly(check: (signal: AbortSignal) => Promise<void>): () => Promise<boolean> {
  let last: { readonly at: number; readonly result: Promise<boolean> } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at >= CHECK_INTERVAL_MS) last = { at: now, result: succeeds(check) };
    return last.result;
  };
}

async function succeeds(check: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([
      check(controller.signal).then(
        () => true,
        () => false,
      ),
      timeout,
    ]);
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}
