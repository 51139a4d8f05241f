import { once } from 'node:events';
import { serveHttp, startTcpProxy, startTestPostgres, waitUntil } from '@guild-settings/testing';
import { describe, expect, test } from 'vitest';
import { Browser } from '../src/testing/browser.ts';
import { IDS, startDashboardWorld, type TestDashboard } from '../src/testing/dashboard-world.ts';
import { openStream } from '../src/testing/open-stream.ts';
import { connectTo } from '../src/testing/raw-connection.ts';
import { sharedDashboard } from '../src/testing/shared-dashboard.ts';

const here = sharedDashboard();
const visitor = new Browser();

const readinessOf = async (dashboard: TestDashboard) => {
  const response = await dashboard.visit(visitor, '/readyz');
  return [response.status, await response.json()];
};

describe('/readyz', () => {
  test('is 200 while the sessions can be read and written', async () => {
    expect(await readinessOf(here.dashboard)).toStrictEqual([
      200,
      { status: 'ok', checks: { sessions: 'ok', accepting: 'ok' }, service: 'ok' },
    ]);
    expect((await here.dashboard.visit(visitor, '/healthz')).status).toBe(200);
  });

  test('stays 200 while the api is away, and says so: the page explains it better than a proxy would', async () => {
    await here.world.stopApi();
    const other = await here.world.start({ PORT: '0' });
    expect(await readinessOf(other)).toStrictEqual([
      200,
      { status: 'ok', checks: { sessions: 'ok', accepting: 'ok' }, service: 'unreachable' },
    ]);
    await here.world.startApi();
  });

  test('is 503 while the database is away, as requests with a session are, and 200 again afterwards', async () => {
    await using postgres = await startTestPostgres();
    const url = new URL(await postgres.createDatabase());
    const proxy = await startTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    const dashboard = await here.world.start({ DATABASE_URL: url.href, PORT: '0' });
    const browser = new Browser();
    await dashboard.login(browser);
    await proxy[Symbol.asyncDispose]();
    expect(await readinessOf(dashboard)).toStrictEqual([
      503,
      { status: 'unavailable', checks: { sessions: 'failing', accepting: 'ok' }, service: 'ok' },
    ]);
    const session = await dashboard.visit(browser, '/session');
    expect([session.status, session.headers.get('retry-after'), await session.json()]).toMatchObject([
      503,
      '1',
      { type: '/problems/store-unavailable' },
    ]);
    expect((await dashboard.visit(visitor, '/', { headers: { accept: 'text/html' } })).status).toBe(200);
    expect(dashboard.log()).not.toContain(url.password);
    await dashboard.close();
  });

  test('is logged at level debug alone, as /healthz and /metrics are', async () => {
    const dashboard = await here.world.start({ LOG_LEVEL: 'info', PORT: '0' });
    for (const path of ['/healthz', '/readyz', '/metrics', '/session']) await dashboard.visit(visitor, path);
    await waitUntil(() => dashboard.log().includes('/session'));
    expect(dashboard.log()).not.toMatch(/healthz|readyz|metrics/);
    await dashboard.close();
  });

  test('costs the api at most one request in a second, however often it is requested', async () => {
    let requests = 0;
    await using api = await serveHttp(({ url }, response) => {
      if (url === '/healthz') requests += 1;
      response.end();
    });
    const dashboard = await here.world.start({ API_URL: api.url, PORT: '0' });
    const started = performance.now();
    await Promise.all(Array.from({ length: 200 }, () => dashboard.visit(visitor, '/readyz')));
    expect(requests).toBeGreaterThan(0);
    expect(requests).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - started) / 1_000));
    await dashboard.close();
  });
});

test('the start says so where the api does not trust the dashboard as a proxy', async () => {
  await using world = await startDashboardWorld({ TRUST_PROXY: 'false' });
  const dashboard = await world.start();
  const warnings = (of: TestDashboard) => of.log().match(/TRUST_PROXY of the api/g) ?? [];
  await waitUntil(() => warnings(dashboard).length > 0);
  await readinessOf(dashboard);
  await readinessOf(here.dashboard);
  expect([warnings(dashboard).length, warnings(here.dashboard).length]).toStrictEqual([1, 0]);
});

test('the start says so where API_URL redirects, with the address to write there, and no request follows', async () => {
  let followed = 0;
  await using api = await serveHttp((_, response) => {
    followed += 1;
    response.end('{}');
  });
  await using proxy = await serveHttp(({ url }, response) =>
    response.writeHead(301, { location: `${api.url}${url}` }).end(),
  );
  const dashboard = await here.world.start({ API_URL: proxy.url, PORT: '0' });
  const says = `Expected the settings service at ${proxy.url}, received a redirect to ${api.url}, which is not followed. Write ${api.url} in API_URL.`;
  await waitUntil(() => dashboard.log().includes(says));
  expect(await readinessOf(dashboard)).toMatchObject([200, { service: 'unreachable' }]);
  expect(followed).toBe(0);
  await dashboard.close();
});

test('/metrics counts requests by the pattern of their route, logins, streams and renewals', async () => {
  const browser = new Browser();
  await here.dashboard.login(browser);
  await here.dashboard.login(new Browser(), { isGranted: false });
  const stream = await openStream(here.dashboard, browser);
  await here.dashboard.visit(browser, '/sessions/some-id-of-a-session', {
    method: 'DELETE',
    headers: { 'x-requested-by': 'dashboard' },
  });
  const read = async () => (await here.dashboard.visit(visitor, '/metrics')).text();
  const metrics = await read();
  for (const line of [
    'http_request_duration_seconds_count{method="DELETE",route="/sessions/:id",status="204"} 1',
    'dashboard_logins_total{outcome="completed"} 1',
    'dashboard_logins_total{outcome="denied"} 1',
    'dashboard_token_renewals_total{outcome="refused"} 0',
    'dashboard_streams 1',
    'dashboard_sessions_ready 1',
    'dashboard_service_reachable 1',
    `guild_settings_build_info{version="1.0.0",node="${process.version}"} 1`,
  ]) {
    expect(metrics.split('\n')).toContain(line);
  }
  expect(metrics).not.toMatch(/some-id-of|\?|session=/);
  await here.dashboard.visit(browser, '/logout', { method: 'POST', body: {} });
  await stream.whole;
  expect(await read()).toContain('dashboard_streams 0');
});

test('a shutdown ends streams with the reason, finishes running requests, and waits for no connection that is opened in advance', async () => {
  await using world = await startDashboardWorld();
  await using proxy = await startTcpProxy(Number(new URL(world.apiUrl).port));
  const dashboard = await world.start({ API_URL: proxy.url });
  const browser = new Browser();
  await dashboard.login(browser);
  const stream = await openStream(dashboard, browser);
  await using early = await connectTo(dashboard.url);
  proxy.delay(300);
  const running = dashboard.call(browser, 'guilds.get', { guild: IDS.guild });
  await once(dashboard.app.server, 'request');
  const closed = dashboard.close();
  const begunAt = performance.now();
  expect((await running).status).toBe(200);
  expect(await stream.whole).toMatch(/data: \{"type":"ended","reason":"shutdown"\}\n\n$/);
  await closed;
  await early.closed;
  // Without the shutdown's care, until the connection is idle for 20 s.
  expect(performance.now() - begunAt).toBeLessThan(15_000);
});
