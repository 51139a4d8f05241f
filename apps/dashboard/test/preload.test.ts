import { beforeAll, expect, test } from 'vitest';
import { Browser } from '../src/testing/browser.ts';
import { IDS } from '../src/testing/dashboard-world.ts';
import { sharedDashboard } from '../src/testing/shared-dashboard.ts';

const here = sharedDashboard();
const visitor = new Browser();
const manager = new Browser();
beforeAll(() => here.dashboard.login(manager));

/** Returns what the header `Link` of a document names, by its `rel` and `as`. */
async function linksOf(browser: Browser, path: string, language = 'en-US'): Promise<[address: string, use: string][]> {
  const headers = { accept: 'text/html', 'accept-language': language };
  const response = await here.dashboard.visit(browser, path, { headers });
  const links = (response.headers.get('link') ?? '').split(', ');
  return links.map((link) => {
    const [, address = '', use = ''] =
      /^<([^>]+)>; rel=(modulepreload|preload; as=(?:style|fetch); crossorigin)$/.exec(link) ?? [];
    return [address, use];
  });
}

const dataOf = (links: [string, string][]) =>
  links.filter(([, use]) => use.includes('as=fetch')).map(([address]) => address);

test('a document names the files of its page, and all of them are there', async () => {
  const links = await linksOf(manager, `/guilds/${IDS.guild}`);
  expect(links.filter(([, use]) => use === 'modulepreload').length).toBeGreaterThan(5);
  for (const [address, use] of links) {
    if (use.includes('as=fetch')) continue;
    expect([address, (await here.dashboard.visit(manager, address)).status]).toStrictEqual([address, 200]);
  }
});

test('the texts of a page are named, with those of other pages and of the bot that it uses', async () => {
  const textsOf = async (page: string) => {
    const links = await linksOf(manager, `/guilds/${IDS.guild}${page}`, 'ja');
    return links.filter(([address]) => address.startsWith('/assets/ja-')).length;
  };
  expect(await Promise.all(['', '/history', '/access', '/transfer', '/danger'].map(textsOf))).toStrictEqual([
    3, 4, 4, 2, 3,
  ]);
});

test('data is named where the page reads it at once: a browser keeps it until it is read', async () => {
  const input = encodeURIComponent(JSON.stringify({ guild: IDS.guild }));
  const ofFrame = ['users.guilds', `users.guild?input=${input}`];
  const calls = [
    ...ofFrame,
    'settings.get',
    `guilds.get?input=${input}`,
    `guilds.channels?input=${input}`,
    'features.list',
  ];
  const settings = await linksOf(manager, `/guilds/${IDS.guild}`);
  expect(dataOf(settings)).toStrictEqual(['/session', ...calls.map((call) => `/trpc/${call}`)]);
  expect(dataOf(await linksOf(manager, `/guilds/${IDS.guild}/history`))).toStrictEqual([
    '/session',
    ...ofFrame.map((call) => `/trpc/${call}`),
  ]);
  expect(dataOf(await linksOf(manager, '/'))).toStrictEqual(['/session', '/trpc/users.guilds']);
  expect(dataOf(await linksOf(manager, '/sessions'))).toStrictEqual(['/session']);
});

test('a link of another site, with which the cookie of the session is not sent, leads to the same document', async () => {
  const follower = new Browser();
  for (const [name, value] of manager.cookies) if (name !== 'session') follower.cookies.set(name, value);
  expect([...follower.cookies.keys()]).toStrictEqual(['logged-in']);
  const path = `/guilds/${IDS.guild}`;
  expect(await linksOf(follower, path)).toStrictEqual(await linksOf(manager, path));
  const session = await here.dashboard.visit(follower, '/session');
  expect(session.status).toBe(204);
});

test('without a session, the styles and the texts of the login alone are named, and whether there is a session', async () => {
  const links = await linksOf(visitor, `/guilds/${IDS.guild}`);
  const names = links.map(([address]) => address.replace(/-[\w-]{8}\.(?:js|css)$/, ''));
  expect(names).toStrictEqual(['/assets/style', '/assets/en-us', '/session']);
});

test.each([
  ['ru', 'ru'],
  ['de-DE, ja;q=0.8', 'ja'],
  ['es-419,es;q=0.9', 'es-es'],
  ['', 'en-us'],
  ['*;q=0.1,,=', 'en-us'],
])('the texts are those of Accept-Language %j: %s', async (header, language) => {
  const [, [address] = []] = await linksOf(visitor, '/', header);
  expect(address).toMatch(new RegExp(`^/assets/${language}-`));
});

test('a guild of an address is a number in what is named', async () => {
  for (const path of [
    '/guilds/1%3E;%20rel=x',
    '/guilds/%0d%0aset-cookie:a=b',
    '/guilds/1/../..',
    `/guilds/${'9'.repeat(30)}`,
  ]) {
    const data = dataOf(await linksOf(manager, path));
    expect(data.filter((address) => address.includes('guilds.get'))).toStrictEqual([]);
  }
});
