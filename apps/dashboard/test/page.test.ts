import { describe, expect, test } from 'vitest';
import { Browser } from '../src/testing/browser.ts';
import { IDS } from '../src/testing/dashboard-world.ts';
import { sendLines } from '../src/testing/raw-connection.ts';
import { sharedDashboard } from '../src/testing/shared-dashboard.ts';

const here = sharedDashboard();
const browser = new Browser();

test.each(['/', `/guilds/${IDS.guild}`, '/a/b/c?d=e'])('%s is the page, without a session', async (path) => {
  const response = await here.dashboard.visit(new Browser(), path, { headers: { accept: 'text/html,*/*' } });
  expect([response.status, response.headers.get('content-type')]).toStrictEqual([200, 'text/html; charset=utf-8']);
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect(response.headers.get('set-cookie')).toBeNull();
  const html = await response.text();
  expect(html).toContain('id="root"');
  // Neither inline scripts nor inline styles, which the policy refuses.
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
});

describe.each(['GET', 'HEAD'])('%s without a preference for text/html', (method) => {
  test.each([
    ['/', '*/*', 200],
    ['/?login=denied', 'text/*;q=0.8', 200],
    [`/guilds/${IDS.guild}`, '*/*', 200],
    [`/guilds/${IDS.guild}/history/7`, 'application/json, */*', 200],
    ['/', 'application/json', 404],
    ['/guilds', '*/*', 404],
    ['/none', '*/*', 404],
    ['/assets/none.js', '*/*', 404],
  ])('%s, Accept: %s is %i', async (path, accept, status) => {
    const response = await here.dashboard.visit(new Browser(), path, { method, headers: { accept } });
    const type = status === 200 ? 'text/html; charset=utf-8' : 'application/problem+json; charset=utf-8';
    expect([response.status, response.headers.get('content-type')]).toStrictEqual([status, type]);
  });
});

test('the page is sent to a client without Accept', async () => {
  expect(await sendLines(here.dashboard.url, ['GET / HTTP/1.1'])).toMatch(/^HTTP\/1\.1 200 /);
});

test('its files have names of their content, and are kept', async () => {
  const html = await (await here.dashboard.visit(browser, '/', { headers: { accept: 'text/html' } })).text();
  const [script = ''] = html.match(/\/assets\/[^"]+\.js/) ?? [];
  const response = await here.dashboard.visit(browser, script);
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(response.headers.get('content-type')).toContain('javascript');
});

test('it and its files are sent compressed, where the browser takes that', async () => {
  const html = await (await here.dashboard.visit(browser, '/', { headers: { accept: 'text/html' } })).text();
  const [style = ''] = html.match(/\/assets\/style[^"]+\.css/) ?? [];
  for (const path of ['/', style]) {
    for (const coding of ['br', 'gzip']) {
      const headers = { accept: 'text/html', 'accept-encoding': coding };
      const response = await here.dashboard.visit(browser, path, { headers });
      expect([path, response.headers.get('content-encoding')]).toStrictEqual([path, coding]);
      expect(response.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
      expect((await response.text()).length).toBeGreaterThan(500);
    }
  }
});

test.each(['*', '*, gzip;q=0', 'identity;q=1, gzip;q=0.5', 'br;q=0, gzip;q=0', 'zstd', undefined])(
  'it and its files are not compressed for a client that has not asked for it: Accept-Encoding %s',
  async (accepted) => {
    const html = await (await here.dashboard.visit(browser, '/', { headers: { accept: 'text/html' } })).text();
    const [style = ''] = html.match(/\/assets\/style[^"]+\.css/) ?? [];
    const header = accepted === undefined ? [] : [`accept-encoding: ${accepted}`];
    for (const path of ['/', style]) {
      const lines = [`GET ${path} HTTP/1.1`, 'accept: text/html', ...header];
      const [head] = (await sendLines(here.dashboard.url, lines)).split('\r\n\r\n', 1);
      expect(head).toMatch(/^HTTP\/1\.1 200 /);
      expect(head).not.toMatch(/content-encoding/i);
    }
  },
);

test.each(['/assets/none.js', '/.vite/manifest.json', '/..%2f..%2fpackage.json', '/main.js'])(
  '%s is not found',
  async (path) => {
    expect((await here.dashboard.visit(browser, path)).status).toBe(404);
  },
);
