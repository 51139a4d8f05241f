import { APPLICATION, BOT } from '@guild-settings/discord-sim/testing/world';
import { waitUntil } from '@guild-settings/testing';
import { sharedApi, startApi } from '@guild-settings/testing/api';
import { Browser, loggedIn, PAGE_ENV } from '@guild-settings/testing/page-visitor';
import { IDS } from '@guild-settings/testing/people';
import { rawExchange } from '@guild-settings/testing/raw-http';
import { beforeAll, describe, expect, test } from 'vitest';

const { guild } = IDS;

const here = sharedApi(PAGE_ENV);
let html = '';
beforeAll(async () => {
  html = await (await new Browser(here()).open('/')).text();
});

const fileOf = (pattern: RegExp) => pattern.exec(html)?.[0] ?? 'none';

const raw = (path: string, ...lines: string[]) =>
  rawExchange(here().url, [`GET ${path} HTTP/1.1`, 'Host: x', ...lines, 'Connection: close', '', ''].join('\r\n'));

test('the document has neither inline scripts nor inline styles, is the same for everybody, and is revalidated', async () => {
  for (const path of ['/', `/guilds/${guild}`, '/sessions', '/a/b/c?d=e']) {
    const response = await new Browser(here()).open(path);
    expect([response.status, response.headers.get('content-type')]).toStrictEqual([200, 'text/html; charset=utf-8']);
    expect([response.headers.get('cache-control'), response.headers.get('set-cookie')]).toStrictEqual([
      'no-cache',
      null,
    ]);
    const again = await new Browser(here()).open(path, { 'if-none-match': response.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    expect(await response.text()).toBe(html);
    expect(await (await (await loggedIn(here())).open(path)).text()).toBe(html);
  }
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
});

test('built files have names of their content, and are kept', async () => {
  const { headers } = await new Browser(here()).visit(fileOf(/\/assets\/[^"]+\.js/));
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(headers.get('content-type')).toContain('javascript');
});

test('the document and the files are sent compressed to a client that accepts it, and to no other', async () => {
  for (const path of ['/', fileOf(/\/assets\/style[^"]+\.css/)]) {
    // The document is compressed at run time.
    for (const coding of path === '/' ? ['gzip'] : ['br', 'gzip']) {
      const { headers } = await new Browser(here()).open(path, { 'accept-encoding': coding });
      expect([path, headers.get('content-encoding')]).toStrictEqual([path, coding]);
      expect(headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
    }
    for (const accepted of ['*', '*, gzip;q=0', 'identity;q=1, gzip;q=0.5', 'br;q=0, gzip;q=0', 'zstd', undefined]) {
      const { head } = await raw(path, 'Accept: text/html', ...(accepted ? [`Accept-Encoding: ${accepted}`] : []));
      expect([path, accepted, head]).toStrictEqual([path, accepted, expect.stringMatching(/^HTTP\/1\.1 200 /)]);
      expect([path, accepted, head]).toStrictEqual([path, accepted, expect.not.stringMatching(/content-encoding/i)]);
    }
  }
});

test.each([
  ...['/assets/none.js', '/assets/', '/assets', '/index.html', '/index.html.br', '/.vite/manifest.json', '/main.js'],
  ...['/..%2f..%2fpackage.json', '/assets/..%2f..%2f..%2fpackage.json', '/assets/%2e%2e/%2e%2e/%2e%2e/package.json'],
  ...[
    '/assets/../../../package.json',
    '/../../../../etc/passwd',
    '/assets/..%5c..%5c..%5cpackage.json',
    '//etc/passwd',
  ],
  ...['/assets/%00', '/assets/style.css%00.js', '/assets//../index.html'],
])('%s is no file', async (path) => {
  const { head, body } = await raw(path, 'Accept: */*');
  expect(head).toMatch(/^HTTP\/1\.1 40[04] /);
  expect(body).not.toMatch(/root:|"dependencies"|id="root"/);
  const opened = await raw(path, 'Accept: text/html');
  expect(opened.body).not.toMatch(/root:|"dependencies"/);
});

describe('the name of the bot', () => {
  const NAME = 'Melody "the <b>bot</b>" & friends';
  const ICON = 'f64c482b807da4f539cff778d174971c';
  const ESCAPED = 'Melody &#34;the &#60;b&#62;bot&#60;/b&#62;&#34; &#38; friends';
  const LITERAL = { support: 'https://discord.gg/melody', privacy: 'https://melody.example/privacy?a=1&#38;b=2' };
  const LINKS = { SUPPORT_URL: 'https://discord.gg/melody', PRIVACY_URL: 'https://melody.example/privacy?a=1&b=2' };

  test('and its icon are in the document, literally, with the links of the operator, before anybody logs in', async () => {
    await using api = await startApi({ ...PAGE_ENV, ...LINKS, DISCORD_BOT_TOKEN: BOT.token });
    api.discord.world.addApplication({ ...APPLICATION, name: NAME, icon: ICON });
    api.discord.world.addBot({ applicationId: APPLICATION.id, ...BOT });
    await api.restart();
    const read = async () => (await new Browser(api).open('/')).text();
    await waitUntil(async () => (await read()).includes('application-name'), { message: 'the name of the bot' });
    const document = await read();
    const metas = { 'application-name': ESCAPED, 'application-icon': `${APPLICATION.id}/${ICON}`, ...LITERAL };
    for (const [name, content] of Object.entries(metas))
      expect(document).toContain(`<meta name="${name}" content="${content}">`);
    expect(document).toContain(`<title>${ESCAPED}</title>`);
    api.discord.faults.set({ kind: 'close-socket' });
    api.clock.now += 600_000;
    expect(await read()).toBe(document);
  });

  test('is not waited for: the document is sent while Discord does not respond', async () => {
    await using api = await startApi({ ...PAGE_ENV, DISCORD_BOT_TOKEN: BOT.token });
    api.discord.faults.set({ kind: 'hang' });
    for (let request = 0; request < 2; request += 1) {
      const response = await fetch(`${api.url}/`, {
        headers: { accept: 'text/html' },
        signal: AbortSignal.timeout(3_000),
      });
      expect(await response.text()).toContain('id="root"');
    }
  });
});

describe('the header Link of a document', () => {
  let manager: Browser;
  beforeAll(async () => {
    manager = await loggedIn(here());
  });

  /** Returns the targets in the header by `rel` and `as`. */
  async function linksOf(
    browser: Browser,
    path: string,
    language = 'en-US',
  ): Promise<[address: string, use: string][]> {
    const { headers } = await browser.open(path, { 'accept-language': language });
    return (headers.get('link') ?? '').split(', ').map((link) => {
      const [, address = '', use = ''] =
        /^<([^>]+)>; rel=(modulepreload|preload; as=(?:style|fetch); crossorigin)$/.exec(link) ?? [];
      return [address, use];
    });
  }

  const dataOf = (links: [string, string][]) =>
    links.filter(([, use]) => use.includes('as=fetch')).map(([address]) => address);

  test('names the files of its page, and all of them are there', async () => {
    const links = await linksOf(manager, `/guilds/${guild}`);
    expect(links.filter(([, use]) => use === 'modulepreload').length).toBeGreaterThan(5);
    for (const [address, use] of links) {
      if (use.includes('as=fetch')) continue;
      expect([address, (await manager.visit(address)).status]).toStrictEqual([address, 200]);
    }
  });

  test('names the texts of a page, with those of other pages and of the bot that it uses', async () => {
    const textsOf = async (page: string) => {
      const links = await linksOf(manager, `/guilds/${guild}${page}`, 'ja');
      const namespaces = /^\/assets\/(common|shared|settings|history|access|transfer|danger)-[\w-]{8}\.js$/;
      return links.flatMap(([address]) => namespaces.exec(address)?.[1] ?? []);
    };
    const pages = ['', '/settings', '/settings/welcome', '/history', '/access', '/transfer', '/danger'];
    expect(await Promise.all(pages.map(textsOf))).toStrictEqual([
      ['common', 'settings', 'shared'],
      ['common', 'settings', 'shared'],
      ['common', 'settings', 'shared'],
      ['common', 'history', 'settings', 'shared'],
      ['common', 'access', 'settings', 'shared'],
      ['common', 'transfer'],
      ['common', 'danger', 'settings'],
    ]);
  });

  test('names the data that a page reads at once, for the person, and each of it is there for their session', async () => {
    const input = `input=${encodeURIComponent(JSON.stringify({ guild }))}`;
    const person = `requested-for=${IDS.manager}`;
    const frame = [`/trpc/users.guilds?${person}`, `/trpc/users.guild?${person}&${input}`];
    const settings = dataOf(await linksOf(manager, `/guilds/${guild}`));
    expect(settings.slice(0, 3)).toStrictEqual(['/session', ...frame]);
    const names = settings.slice(3).map((address) => address.split('?')[0]?.replace('/trpc/', ''));
    expect(names).toStrictEqual(['guilds.get', 'guilds.channels', 'features.list', 'settings.get']);
    expect(dataOf(await linksOf(manager, `/guilds/${guild}/history`)).slice(0, 3)).toStrictEqual([
      '/session',
      ...frame,
    ]);
    expect(dataOf(await linksOf(manager, '/'))).toStrictEqual(['/session', frame[0]]);
    expect(dataOf(await linksOf(manager, '/sessions'))).toStrictEqual(['/session']);
    const headers = { 'x-requested-by': undefined, 'x-requested-for': undefined };
    for (const address of settings) {
      const { status } = await manager.visit(address, { headers });
      // Channels require the bot token.
      expect([address, status]).toStrictEqual([address, address.includes('channels') ? expect.any(Number) : 200]);
    }
  });

  test('is the same for a link of another site, with which the cookie of the session is not sent', async () => {
    const follower = manager.copy();
    follower.cookies.delete('__Host-session');
    expect([...follower.cookies.keys()]).toStrictEqual(['__Host-logged-in']);
    const path = `/guilds/${guild}`;
    expect(await linksOf(follower, path)).toStrictEqual(await linksOf(manager, path));
    expect((await follower.visit('/session')).status).toBe(204);
  });

  test.each([
    ['en-US', 'Continue with Discord'],
    ['ru', 'Войти через Discord'],
    ['de-DE, ja;q=0.8', 'Discordで続ける'],
    ['es-419,es;q=0.9', 'Continuar con Discord'],
    ['', 'Continue with Discord'],
    ['*;q=0.1,,=', 'Continue with Discord'],
  ])('names the login alone for a visitor, with the texts of Accept-Language %j: %s', async (header, button) => {
    const browser = new Browser(here());
    const links = await linksOf(browser, `/guilds/${guild}`, header);
    const names = links.map(([address]) => address.replace(/-[\w-]{8}\.(?:js|css)$/, ''));
    expect(names).toStrictEqual(['/assets/style', '/assets/common', '/session']);
    expect(await (await browser.visit(links[1]?.[0] ?? '')).text()).toContain(button);
  });

  test('names nothing that an address or a cookie has, but numbers', async () => {
    for (const path of [
      '/guilds/1%3E;%20rel=x',
      '/guilds/%0d%0aset-cookie:a=b',
      '/guilds/1/../..',
      `/guilds/${'9'.repeat(30)}`,
    ])
      expect(dataOf(await linksOf(manager, path)).filter((address) => address.includes('guilds.get'))).toStrictEqual(
        [],
      );
    for (const value of [
      '1',
      '1>; rel=x',
      '%3E%0d%0aset-cookie:a=b',
      '../..',
      'x'.repeat(5_000),
      '1&requested-for=2',
      '',
    ]) {
      const browser = new Browser(here(), new Map([['__Host-logged-in', value]]));
      const links = await linksOf(browser, `/guilds/${guild}`);
      expect([value, links.filter(([address]) => address === '')]).toStrictEqual([value, []]);
      expect(dataOf(links)).toStrictEqual(['/session']);
    }
  });
});
