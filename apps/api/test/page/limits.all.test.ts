import { describe, expect, test } from 'vitest';
import { Browser } from '../../src/testing/browser.ts';
import { IDS } from '../../src/testing/dashboard-world.ts';
import { readStream } from '../../src/testing/open-stream.ts';
import { sharedDashboard } from '../../src/testing/shared-dashboard.ts';

const here = sharedDashboard();

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const begin = async (address: string) => (await here.dashboard.visit(new Browser(), '/login', from(address))).status;

/** Begins a login, and sends a response to it: by default with a code that Discord has not issued. */
async function fail(address: string, { query = 'code=guessed', headers = {} } = {}): Promise<Response> {
  const browser = new Browser();
  const begun = await here.dashboard.visit(browser, '/login', from(address));
  const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state');
  const path = query.includes('state=') ? `/callback?${query}` : `/callback?${query}&state=${state}`;
  return here.dashboard.visit(browser, path, { headers: { ...headers, ...from(address).headers } });
}

const requestsToDiscord = () => here.world.discord.calls.count({ method: 'POST', path: '/oauth2/token' });

describe('the limits of clients that are not logged in', () => {
  test('300 logins may be begun in ten minutes from an address, and other addresses are free', async () => {
    const statuses = await Promise.all(Array.from({ length: 300 }, () => begin('203.0.113.7')));
    expect(statuses.every((status) => status === 302)).toBe(true);
    const refused = await here.dashboard.visit(new Browser(), '/login', from('203.0.113.7'));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('set-cookie')).toBeNull();
    expect(await refused.json()).toMatchObject({ type: '/problems/rate-limited' });
    expect(await begin('203.0.113.8')).toBe(302);
  });

  test('a refused login is a page for a browser that opens it, with the status and the time of the refusal', async () => {
    const navigation = {
      headers: { ...from('203.0.113.11').headers, accept: 'text/html,*/*;q=0.8', 'if-none-match': '*' },
    };
    await Promise.all(Array.from({ length: 300 }, () => begin('203.0.113.11')));
    const refused = await here.dashboard.visit(new Browser(), '/login?to=%2Fguilds%2F1', navigation);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8');
    // Another attempt, at the same address, must not find this document in a cache.
    expect([refused.headers.get('cache-control'), refused.headers.get('etag')]).toStrictEqual(['no-store', null]);
    expect(refused.headers.get('vary')).toBe('accept, accept-encoding');
    expect(await refused.text()).toContain('<meta name="login" content="limited">');
    expect(here.dashboard.log()).toMatch(/"route":"\/login","status":429,.*"problem":"rate-limited"/);
    await Promise.all(Array.from({ length: 50 }, () => fail('203.0.113.12')));
    const callback = await fail('203.0.113.12', navigation);
    expect([callback.status, await callback.text()]).toStrictEqual([429, expect.stringContaining('content="limited"')]);
    // The address of the page has a code.
    expect(callback.headers.get('referrer-policy')).toBe('strict-origin');
  });

  test('50 logins of an address may fail, also at once, and none beyond them reaches Discord', async () => {
    here.world.discord.calls.reset();
    const failures = await Promise.all(Array.from({ length: 60 }, () => fail('203.0.113.9')));
    const refused = failures.filter(({ status }) => status === 429);
    expect([refused.length, requestsToDiscord()]).toStrictEqual([10, 50]);
    for (const response of failures.filter(({ status }) => status !== 429)) {
      expect(response.headers.get('location')).toBe('/?login=expired');
    }
    expect(here.dashboard.log()).toMatch(/"route":"\/callback","status":429,.*"client":"203\.0\.113\.9"/);
  });

  test.each(['code=guessed&state=wrong', 'code=guessed&code=another', 'code=', 'error=access_denied'])(
    'a response with %s, which does not reach Discord, is not counted',
    async (query) => {
      here.world.discord.calls.reset();
      const address = '203.0.113.13';
      const failures = await Promise.all(Array.from({ length: 60 }, () => fail(address, { query })));
      expect(new Set(failures.map(({ status }) => status))).toStrictEqual(new Set([302]));
      expect(requestsToDiscord()).toBe(0);
      expect([(await fail(address)).status, requestsToDiscord()]).toStrictEqual([302, 1]);
    },
  );

  test('the addresses of an IPv6 network of 64 bits are one client', async () => {
    const network = (n: number) => `2001:db8:0:1:${n.toString(16)}::1`;
    const failures = await Promise.all(Array.from({ length: 51 }, (_, n) => fail(network(n))));
    expect(failures.filter(({ status }) => status === 429)).toHaveLength(1);
    expect((await fail('2001:db8:0:2::1')).status).toBe(302);
  });

  test('a login that succeeds does not count', async () => {
    const address = '203.0.113.10';
    await Promise.all(Array.from({ length: 49 }, () => fail(address)));
    for (let n = 0; n < 3; n++) {
      const browser = new Browser();
      const visit = here.dashboard.visit;
      const begun = await visit(browser, '/login', from(address));
      const page = begun.headers.get('location') ?? '';
      const decided = await fetch(page, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: here.world.discord.url },
        body: JSON.stringify({ personId: IDS.manager, authorize: true }),
      });
      const { location } = (await decided.json()) as { location: string };
      const { pathname, search } = new URL(location);
      expect((await visit(browser, `${pathname}${search}`, from(address))).headers.get('location')).toBe('/');
    }
  });

  test('the address of a client that is not a trusted proxy is not read from its headers', async () => {
    const direct = await here.world.start({
      TRUST_PROXY: 'false',
      DASHBOARD_URL: 'https://dashboard.example',
      PORT: '0',
    });
    const statuses: number[] = [];
    for (let n = 0; n < 301; n++) {
      statuses.push((await direct.visit(new Browser(), '/login', from(`203.0.113.${n % 250}`))).status);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

test('the api counts invalid tokens against the client of the dashboard, and not against the dashboard', async () => {
  const { apiUrl } = here.world;
  /** Uses up what an address may send of invalid tokens. */
  const useUp = async (headers: Record<string, string>) => {
    for (let n = 0, status = 0; status !== 429; n++) {
      const authorization = `Bearer invalid-${n}-${Object.values(headers)}`;
      ({ status } = await fetch(`${apiUrl}/guilds/${IDS.guild}`, { headers: { authorization, ...headers } }));
    }
  };
  /** Logs in, so that the api has not checked the token, and calls a procedure. */
  const callFrom = async (address: string, procedure: string) => {
    const browser = new Browser();
    await here.dashboard.login(browser, { personId: IDS.owner });
    return here.dashboard.call(browser, procedure, { guild: IDS.guild }, from(address));
  };
  // The address of the dashboard, and of whatever else runs beside it.
  await useUp({});
  await useUp({ 'x-forwarded-for': '203.0.113.21' });
  expect((await callFrom('203.0.113.20', 'guilds.get')).status).toBe(200);
  await readStream(await callFrom('203.0.113.20', 'guilds.follow'));
  expect((await callFrom('203.0.113.21', 'guilds.get')).status).toBe(429);
  expect(await (await callFrom('203.0.113.21', 'guilds.follow')).text()).toContain('/problems/rate-limited');
});

test('a person has 600 requests in a minute, in all of their sessions together; others are not affected', async () => {
  const [one, two, other] = [new Browser(), new Browser(), new Browser()];
  for (const browser of [one, two]) await here.dashboard.login(browser);
  await here.dashboard.login(other, { personId: IDS.owner });
  const statusOf = async (browser: Browser) => (await here.dashboard.visit(browser, '/session')).status;
  const statuses: number[] = [];
  while (statuses.length < 700 && statuses.at(-1) !== 429) {
    statuses.push(...(await Promise.all([one, two, one, two].map(statusOf))));
  }
  expect([200, 429]).toContain(statuses.at(-1));
  expect(statuses.filter((status) => status === 200)).toHaveLength(600);
  expect(await statusOf(other)).toBe(200);
  const refused = await here.dashboard.call(one, 'guilds.get', { guild: IDS.guild });
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { error: { data: { problem: { type: '/problems/rate-limited' } } } },
  ]);
  // The end of a session is not refused by what the session has done.
  expect((await here.dashboard.visit(one, '/logout', { method: 'POST', body: {} })).status).toBe(204);
  expect(await statusOf(one)).toBe(204);
});
