import { beforeAll, describe, expect, test } from 'vitest';
import { Browser } from '../../src/testing/browser.ts';
import { IDS } from '../../src/testing/dashboard-world.ts';
import { sendLines } from '../../src/testing/raw-connection.ts';
import { sharedDashboard } from '../../src/testing/shared-dashboard.ts';

const here = sharedDashboard();
const browser = new Browser();
beforeAll(async () => void (await here.dashboard.login(browser)));

const cookie = () => `cookie: session=${browser.cookies.get('session')}`;
const INPUT = encodeURIComponent(JSON.stringify({ guild: IDS.guild, prefix: 'evil' }));

describe('methods', () => {
  test('HEAD runs no handler of GET: it changes nothing, opens no stream and uses up no login', async () => {
    const before = here.world.discord.calls.count({ path: '/oauth2/token' });
    for (const path of [
      `/trpc/guilds.follow?input=${INPUT}`,
      `/trpc/guilds.update?input=${INPUT}`,
      `/trpc/guilds.get?input=${INPUT}`,
      '/login',
      '/callback?code=x&state=y',
    ]) {
      const response = await here.dashboard.visit(browser, path, { method: 'HEAD' });
      expect([path, response.status, response.headers.get('set-cookie')]).toStrictEqual([path, 404, null]);
    }
    expect(here.world.discord.calls.count({ path: '/oauth2/token' })).toBe(before);
    const metrics = await (await here.dashboard.visit(browser, '/metrics')).text();
    expect(metrics).toContain('dashboard_streams 0');
  });

  test('HEAD of the page and of health has the headers of GET', async () => {
    for (const path of ['/', '/healthz', '/readyz']) {
      const headers = { accept: 'text/html' };
      const response = await here.dashboard.visit(browser, path, { method: 'HEAD', headers });
      expect([path, response.status, await response.text()]).toStrictEqual([path, 200, '']);
    }
  });

  test('a wrong method of a procedure is 405 and names the right one', async () => {
    const post = await here.dashboard.visit(browser, '/trpc/guilds.get', { method: 'POST', body: {} });
    const get = await here.dashboard.visit(browser, `/trpc/guilds.update?input=${INPUT}`);
    expect([post.status, post.headers.get('allow')]).toStrictEqual([405, 'GET']);
    expect([get.status, get.headers.get('allow')]).toStrictEqual([405, 'POST']);
  });

  test.each([
    ['POST', '/session'],
    ['PUT', '/sessions'],
    ['GET', '/logout'],
    ['PATCH', '/trpc/guilds.update'],
    ['OPTIONS', '/trpc/guilds.update'],
    ['POST', '/'],
    ['TRACE', '/session'],
  ])('%s %s is not found, and nothing is reflected', async (method, path) => {
    const response = await sendLines(here.dashboard.url, [
      `${method} ${path} HTTP/1.1`,
      cookie(),
      'x-secret: reflected',
    ]);
    expect(response).toMatch(/^HTTP\/1\.1 404 /);
    expect(response).not.toMatch(/reflected|access-control-allow/i);
    expect((await here.dashboard.visit(browser, '/session')).status).toBe(200);
  });
});

test('what is not found has a text of its own', async () => {
  const response = await here.dashboard.visit(browser, '/none');
  const text = await response.text();
  expect(response.status).toBe(404);
  expect(text).toContain('This address or this method does not exist');
  expect(text).not.toContain('openapi');
});

describe('headers of responses', () => {
  test('what depends on the session is stored nowhere', async () => {
    const paths = [
      '/session',
      '/sessions',
      `/trpc/guilds.get?input=${INPUT}`,
      '/trpc/none',
      '/login',
      '/callback',
      '/metrics',
    ];
    for (const path of paths) {
      for (const who of [browser, new Browser()]) {
        const response = await here.dashboard.visit(who, path);
        expect([path, response.headers.get('cache-control')]).toStrictEqual([path, 'no-store']);
      }
    }
    const ended = await here.dashboard.visit(new Browser(), '/logout', { method: 'POST', body: {} });
    expect(ended.headers.get('cache-control')).toBe('no-store');
  });

  test('no page may frame, sniff, open or embed anything of this origin', async () => {
    for (const path of [
      '/',
      '/session',
      '/none',
      '/%zz',
      `/sessions/${'x'.repeat(2_000)}`,
      `/trpc/guilds.get?input=${INPUT}`,
    ]) {
      const { headers } = await here.dashboard.visit(browser, path, { headers: { accept: 'text/html' } });
      expect([path, headers.get('x-content-type-options')]).toStrictEqual([path, 'nosniff']);
      expect([path, headers.get('content-security-policy')]).toMatchObject([path, /frame-ancestors 'none'/]);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('server')).toBeNull();
    }
  });

  test.each([
    '%0d%0aset-cookie:%20session=x',
    '%0aset-cookie:%20session=x',
    '/%0d%0a%0d%0a<script>',
    '%E5%98%8D%E5%98%8Aset-cookie:x',
  ])('an address to return to adds no header: %s', async (to) => {
    const response = await sendLines(here.dashboard.url, [
      `GET /login?to=/${to} HTTP/1.1`,
      `x-forwarded-host: ${new URL(here.dashboard.url).host}`,
    ]);
    expect(response).toMatch(/^HTTP\/1\.1 302 /);
    expect(response.match(/^set-cookie:/gim)).toHaveLength(1);
    expect(response).toMatch(/^set-cookie: login=/im);
  });
});

test('two requests in one, by two lengths, are refused', async () => {
  const smuggled = 'GET /session HTTP/1.1\r\nhost: x\r\n\r\n';
  const head = [
    'POST /logout HTTP/1.1',
    'content-type: application/json',
    'content-length: 5',
    'transfer-encoding: chunked',
  ];
  const response = await sendLines(here.dashboard.url, head, `0\r\n\r\n${smuggled}`);
  expect(response).toMatch(/^HTTP\/1\.1 400 /);
  expect(response.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test('an address or a header cannot write lines into the log', async () => {
  const forged = '{"level":50,"msg":"forged"}';
  const lines = (path: string) => [
    `GET ${path} HTTP/1.1`,
    `user-agent: ${forged}\t\x1b[31m`,
    `x-forwarded-for: ${forged}`,
    `x-request-id: ${forged}`,
    `referer: ${forged}`,
  ];
  const encoded = encodeURIComponent(`\n${forged}\n`);
  for (const path of [
    `/${encoded}`,
    `/login?to=${encoded}`,
    `/callback?state=${encoded}`,
    `/sessions/${encoded}`,
    '/%zz',
  ])
    await sendLines(here.dashboard.url, lines(path));
  const log = here.dashboard.log();
  expect(log).not.toContain('forged');
  expect(log).not.toContain('\x1b');
  for (const line of log.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) });
});
