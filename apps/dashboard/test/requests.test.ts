import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser, type Visit } from '../src/testing/browser.ts';
import { type DashboardWorld, IDS, startDashboardWorld, type TestDashboard } from '../src/testing/dashboard-world.ts';

let world: DashboardWorld;
let dashboard: TestDashboard;
const browser = new Browser();
beforeAll(async () => {
  world = await startDashboardWorld();
  dashboard = await world.start();
  await dashboard.login(browser);
});
afterAll(() => world?.[Symbol.asyncDispose]());

const READ = `/trpc/guilds.get?input=${encodeURIComponent(JSON.stringify({ guild: IDS.guild }))}`;
const FOLLOW = READ.replace('guilds.get', 'guilds.follow');

/** Returns the type of the problem in a response, as a document or in tRPC's envelope. */
async function typeOf(response: Response): Promise<string | undefined> {
  const body = (await response.json()) as { type?: string; error?: { data: { problem: { type: string } } } };
  return body.type ?? body.error?.data.problem.type;
}

describe('requests that another site has caused', () => {
  const foreign: [string, Visit['headers']][] = [
    ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site' }],
    ['Sec-Fetch-Site: none', { 'sec-fetch-site': 'none' }],
    ['the Origin of another site', { 'sec-fetch-site': undefined, origin: 'https://evil.example' }],
    ['the Origin null', { 'sec-fetch-site': undefined, origin: 'null' }],
    ['the Referer of another site', { 'sec-fetch-site': undefined, referer: 'https://evil.example/x' }],
    ['none of these headers', { 'sec-fetch-site': undefined }],
  ];
  test.each(foreign)('%s: neither read nor changed', async (_name, headers) => {
    const requests: [string, Visit][] = [
      [READ, {}],
      [FOLLOW, {}],
      ['/trpc/guilds.update', { method: 'POST', body: { guild: IDS.guild, prefix: 'evil' } }],
      ['/logout', { method: 'POST', body: {} }],
      ['/sessions', { method: 'DELETE', headers: { 'x-requested-by': 'dashboard' } }],
      ['/sessions/x', { method: 'DELETE', headers: { 'x-requested-by': 'dashboard' } }],
    ];
    for (const [path, visit] of requests) {
      const response = await dashboard.visit(browser, path, { ...visit, headers: { ...visit.headers, ...headers } });
      expect([path, response.status, await typeOf(response)]).toStrictEqual([path, 400, '/problems/invalid-request']);
    }
    expect((await dashboard.visit(browser, '/session')).status).toBe(200);
    expect(await (await dashboard.visit(browser, READ)).text()).not.toContain('evil');
  });

  test('a browser without Sec-Fetch-Site is judged by Origin, then by Referer', async () => {
    const none = { 'sec-fetch-site': undefined };
    const { origin } = new URL(dashboard.url);
    for (const headers of [{ origin }, { referer: `${origin}/guilds` }]) {
      expect((await dashboard.visit(browser, READ, { headers: { ...none, ...headers } })).status).toBe(200);
    }
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'what a form can send (%s) changes nothing',
    async (type) => {
      const headers = { 'content-type': type };
      const response = await dashboard.visit(browser, '/logout', { method: 'POST', headers, body: {} });
      expect([400, 415]).toContain(response.status);
      expect((await dashboard.visit(browser, '/session')).status).toBe(200);
    },
  );

  test('no response allows another origin to read it', async () => {
    const response = await dashboard.visit(browser, '/session', { headers: { origin: 'https://evil.example' } });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });
});

describe('the list of procedures', () => {
  test.each([
    'presence.report',
    'users.forget',
    'guilds.watch',
    'guilds.acknowledge',
    'guilds.importMany',
    'guilds.get,guilds.get',
    'guilds',
    'constructor',
    '__proto__',
    'guilds.get%00',
  ])('%s is not found', async (procedure) => {
    for (const method of ['GET', 'POST']) {
      const response = await dashboard.visit(browser, `/trpc/${procedure}`, {
        method,
        ...(method === 'POST' && { body: {} }),
      });
      expect([method, response.status]).toStrictEqual([method, 404]);
    }
  });

  test('a query is read, and a mutation is posted', async () => {
    const posted = await dashboard.visit(browser, '/trpc/guilds.get', { method: 'POST', body: { guild: IDS.guild } });
    const read = await dashboard.visit(browser, READ.replace('guilds.get', 'guilds.update'));
    expect([posted.status, read.status]).toStrictEqual([405, 405]);
  });

  test('headers that the service would trust are not passed on', async () => {
    const headers = { 'x-on-behalf-of': IDS.owner, authorization: 'Bearer nonsense' };
    const response = await dashboard.visit(browser, READ, { headers });
    expect(response.status).toBe(200);
  });

  /** Sends a text as the body of a mutation. */
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${dashboard.url}/trpc/guilds.update`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...headers },
      body,
    });

  test('a body longer than the service accepts of a user is not read, with or without a session', async () => {
    const patch = (length: number) => JSON.stringify({ guild: IDS.guild, prefix: 'x'.repeat(length) });
    expect((await post(patch(17_000))).status).toBe(413);
    expect((await post(patch(15_000))).status).toBe(401);
  });

  test('an input that is nested too deeply to be passed on is refused', async () => {
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    const response = await post('['.repeat(8_000) + ']'.repeat(8_000), { cookie });
    expect([response.status, await typeOf(response)]).toStrictEqual([400, '/problems/invalid-body']);
  });

  test('an input that is no JSON, and a body that is none, are refused', async () => {
    const query = await dashboard.visit(browser, '/trpc/guilds.get?input=%7B');
    const body = await fetch(`${dashboard.url}/trpc/guilds.update`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      body: '{',
    });
    for (const response of [query, body])
      expect([response.status, await typeOf(response)]).toStrictEqual([400, '/problems/invalid-request']);
  });
});

describe('the page', () => {
  test.each(['/', `/guilds/${IDS.guild}`, '/a/b/c?d=e'])('%s is the page, without a session', async (path) => {
    const response = await dashboard.visit(new Browser(), path, { headers: { accept: 'text/html,*/*' } });
    expect([response.status, response.headers.get('content-type')]).toStrictEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('set-cookie')).toBeNull();
    const html = await response.text();
    expect(html).toContain('id="root"');
    // Neither inline scripts nor inline styles, which the policy refuses.
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
  });

  test('its files have names of their content, and are kept', async () => {
    const html = await (await dashboard.visit(browser, '/', { headers: { accept: 'text/html' } })).text();
    const [script = ''] = html.match(/\/assets\/login-[^"]+\.js/) ?? [];
    const response = await dashboard.visit(browser, script);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-type')).toContain('javascript');
  });

  test('it and its files are sent compressed, where the browser takes that', async () => {
    const html = await (await dashboard.visit(browser, '/', { headers: { accept: 'text/html' } })).text();
    const [script = ''] = html.match(/\/assets\/[^"]+\.js/) ?? [];
    for (const path of ['/', script]) {
      for (const coding of ['br', 'gzip']) {
        const headers = { accept: 'text/html', 'accept-encoding': coding };
        const response = await dashboard.visit(browser, path, { headers });
        expect([path, response.headers.get('content-encoding')]).toStrictEqual([path, coding]);
        expect(response.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
        expect((await response.text()).length).toBeGreaterThan(500);
      }
    }
  });

  test.each(['/assets/none.js', '/.vite/manifest.json', '/..%2f..%2fpackage.json', '/main.js'])(
    '%s is not found',
    async (path) => {
      expect((await dashboard.visit(browser, path)).status).toBe(404);
    },
  );

  test('the content security policy has no unsafe-inline, and requires trusted types', async () => {
    for (const path of ['/', '/session', '/assets/none.js', READ]) {
      const response = await dashboard.visit(browser, path, { headers: { accept: 'text/html' } });
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toBe(
        "default-src 'none';script-src 'self';style-src 'self';img-src 'self' https://cdn.discordapp.com;connect-src 'self';" +
          "font-src 'self';manifest-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none';" +
          "require-trusted-types-for 'script';trusted-types 'none'",
      );
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(response.headers.get('referrer-policy')).toBe('same-origin');
    }
  });
});
