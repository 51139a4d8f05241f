import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { sharedApi, startApi } from '@guild-settings/testing/api';
import { Browser, loggedIn, PAGE_ENV, type Visit } from '@guild-settings/testing/page-visitor';
import { IDS } from '@guild-settings/testing/people';
import { connectTo } from '@guild-settings/testing/raw-http';
import { describe, expect, test } from 'vitest';

const { guild } = IDS;

const from = (address: string) => ({ 'x-forwarded-for': address });

describe('logins', () => {
  const here = sharedApi(PAGE_ENV);
  const begin = (address: string, headers: Visit['headers'] = {}) =>
    new Browser(here()).open('/login?to=%2Fguilds%2F1', { ...from(address), ...headers });

  /** Begins a login, and sends a response to it: by default with a code that Discord has not issued. */
  async function fail(address: string, { query = 'code=guessed', headers = {} } = {}): Promise<Response> {
    const browser = new Browser(here());
    const begun = await browser.open('/login', from(address));
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state');
    const path = query.includes('state=') ? `/callback?${query}` : `/callback?${query}&state=${state}`;
    return browser.open(path, { ...headers, ...from(address) });
  }

  const exchanges = () => here().discord.calls.count({ method: 'POST', path: '/oauth2/token' });
  const many = <T>(count: number, one: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, n) => one(n)));

  test('300 of an address may be begun in ten minutes; others are free, and the refusal is a page for a browser', async () => {
    const begun = await many(300, () => begin('203.0.113.7'));
    expect(new Set(begun.map(({ status }) => status))).toStrictEqual(new Set([302]));
    const refused = await begin('203.0.113.7', { accept: 'application/json' });
    expect([refused.status, refused.headers.get('set-cookie')]).toStrictEqual([429, null]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ type: '/problems/rate-limited' });
    const page = await begin('203.0.113.7', { 'if-none-match': '*' });
    expect([page.status, page.headers.get('content-type')]).toStrictEqual([429, 'text/html; charset=utf-8']);
    // Another attempt at the same URL must not get this document from a cache.
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('vary')?.toLowerCase()).toMatch(/accept,? ?.*accept-encoding/);
    expect(await page.text()).toContain('<meta name="login" content="limited">');
    expect((await begin('203.0.113.8')).status).toBe(302);
  });

  test('50 of an address may fail, also at once, and none beyond them reaches Discord', async () => {
    here().discord.calls.reset();
    const failures = await many(60, () => fail('203.0.113.9'));
    const refused = failures.filter(({ status }) => status === 429);
    expect([refused.length, exchanges()]).toStrictEqual([10, 50]);
    for (const response of failures.filter(({ status }) => status !== 429))
      expect(response.headers.get('location')).toBe('/?login=expired');
    expect(await refused[0]?.text()).toContain('content="limited"');
    // The URL of the page contains a code.
    expect(refused[0]?.headers.get('referrer-policy')).toBe('strict-origin');
  });

  test.each(['code=guessed&state=wrong', 'code=guessed&code=another', 'code=', 'error=access_denied'])(
    'a response with %s, which does not reach Discord, is not counted',
    async (query) => {
      here().discord.calls.reset();
      const address = '203.0.113.13';
      const failures = await many(60, () => fail(address, { query }));
      expect(new Set(failures.map(({ status }) => status))).toStrictEqual(new Set([302]));
      expect(exchanges()).toBe(0);
      expect([(await fail(address)).status, exchanges()]).toStrictEqual([302, 1]);
    },
  );

  test('the addresses of an IPv6 network of 64 bits are one client', async () => {
    const failures = await many(51, (n) => fail(`2001:db8:0:1:${n.toString(16)}::1`));
    expect(failures.filter(({ status }) => status === 429)).toHaveLength(1);
    expect((await fail('2001:db8:0:2::1')).status).toBe(302);
  });

  test('the address of a client that is not a trusted proxy is not read from its headers', async () => {
    await using direct = await startApi({ ...PAGE_ENV, TRUST_PROXY: 'false' });
    const statuses = await many(301, async (n) => {
      return (await new Browser(direct).open('/login', from(`203.0.113.${n % 250}`))).status;
    });
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('strangers have eight requests in a minute by their address', () => {
  const STRANGERS = 8;
  const here = sharedApi({ ...PAGE_ENV, RATE_LIMIT_PER_MINUTE: String(STRANGERS / 4) });

  test('a session that the service knows is not one of a stranger', async () => {
    const client = from('198.51.100.200');
    const browser = await loggedIn(here(), { person: IDS.owner, headers: client });
    expect((await browser.call('guilds.get', { guild }, { headers: client })).status).toBe(200);
    for (let n = 0; n < 2 * STRANGERS; n += 1) await new Browser(here()).open('/', client);
    expect((await new Browser(here()).open('/', client)).status).toBe(429);
    expect((await browser.call('guilds.get', { guild }, { headers: client })).status).toBe(200);
    expect((await browser.visit('/logout', { method: 'POST', body: {}, headers: client })).status).toBe(204);
  });
});

describe('slow and wrong clients', () => {
  const here = sharedApi(PAGE_ENV, { timeouts: { headers: 400, request: 600 } });
  const INTERVAL_MS = 50;

  const head = (line: string, ...headers: string[]) => [`${line} HTTP/1.1`, 'Host: x', ...headers].join('\r\n');
  const PAGE = ['sec-fetch-site: same-origin', 'x-requested-by: dashboard', `x-requested-for: ${IDS.manager}`];
  const JSON_TYPE = 'content-type: application/json';

  /** Writes a text, and then one byte at a time. Returns everything received until the connection was closed. */
  async function drip(text: string): Promise<string> {
    const socket = await connectTo(here().url);
    let received = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
    });
    const closed = once(socket, 'close');
    socket.write(text);
    while (!socket.destroyed) {
      await Promise.race([delay(INTERVAL_MS), closed]);
      if (socket.writable) socket.write('x');
    }
    return received;
  }

  test('a client that sends headers, or the body of a change by cookie, a byte at a time is disconnected with 408', async () => {
    const { cookie } = await loggedIn(here());
    const change = head('POST /trpc/guilds.update', ...PAGE, JSON_TYPE, `cookie: ${cookie}`, 'content-length: 1000');
    for (const text of [head('GET /session', 'x-slow: '), `${change}\r\n\r\n{`, head('GET /login', 'x-slow: ')])
      expect(await drip(text)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test.each([
    ['a logout of another site', 'POST /logout', ['sec-fetch-site: cross-site', JSON_TYPE]],
    ['a change of another site', 'POST /trpc/guilds.update', ['sec-fetch-site: cross-site', JSON_TYPE]],
    ['a change without its script', 'POST /trpc/guilds.update', ['sec-fetch-site: same-origin', JSON_TYPE]],
    ['a change with an ended session', 'POST /trpc/guilds.update', [...PAGE, JSON_TYPE]],
    ['a procedure that pages may not call', 'POST /trpc/presence.report', [...PAGE, JSON_TYPE]],
  ])('a refusal does not wait for the body, and closes the connection: %s', async (_, line, headers) => {
    const cookie = `cookie: __Host-session=${'A'.repeat(43)}`;
    const received = await drip(`${head(line, ...headers, cookie, 'content-length: 1000')}\r\n\r\n{`);
    expect(received.match(/HTTP\/1\.1 \d+/g)).toStrictEqual([expect.stringMatching(/ 40[014]$/)]);
    expect(received).toMatch(/^connection: close\r$/im);
  });
});
