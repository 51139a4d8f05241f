import { beforeAll, expect, test } from 'vitest';
import { Browser, type Visit } from '../../src/testing/browser.ts';
import { IDS } from '../../src/testing/dashboard-world.ts';
import { sharedDashboard } from '../../src/testing/shared-dashboard.ts';

const here = sharedDashboard();
const browser = new Browser();
beforeAll(async () => void (await here.dashboard.login(browser)));

const READ = `/trpc/guilds.get?input=${encodeURIComponent(JSON.stringify({ guild: IDS.guild }))}`;
const FOLLOW = READ.replace('guilds.get', 'guilds.follow');

/** Returns the type of the problem in a response, as a document or in tRPC's envelope. */
async function typeOf(response: Response): Promise<string | undefined> {
  const body = (await response.json()) as { type?: string; error?: { data: { problem: { type: string } } } };
  return body.type ?? body.error?.data.problem.type;
}

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
    const response = await here.dashboard.visit(browser, path, { ...visit, headers: { ...visit.headers, ...headers } });
    expect([path, response.status, await typeOf(response)]).toStrictEqual([path, 400, '/problems/invalid-request']);
  }
  expect((await here.dashboard.visit(browser, '/session')).status).toBe(200);
  expect(await (await here.dashboard.visit(browser, READ)).text()).not.toContain('evil');
});

test('without Sec-Fetch-Site, the origin of a request is read from Origin, then from Referer', async () => {
  const none = { 'sec-fetch-site': undefined };
  const { origin } = new URL(here.dashboard.url);
  for (const headers of [{ origin }, { referer: `${origin}/guilds` }]) {
    expect((await here.dashboard.visit(browser, READ, { headers: { ...none, ...headers } })).status).toBe(200);
  }
});

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
  'a request with a content type that forms can send (%s) is refused',
  async (type) => {
    const headers = { 'content-type': type };
    const response = await here.dashboard.visit(browser, '/logout', { method: 'POST', headers, body: {} });
    expect([400, 415]).toContain(response.status);
    expect((await here.dashboard.visit(browser, '/session')).status).toBe(200);
  },
);

test('no response allows another origin to read it', async () => {
  const response = await here.dashboard.visit(browser, '/session', { headers: { origin: 'https://evil.example' } });
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
  expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
});
