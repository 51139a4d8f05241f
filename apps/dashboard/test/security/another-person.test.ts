import { serveHttp } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { Browser } from '../../src/testing/browser.ts';
import { IDS } from '../../src/testing/dashboard-world.ts';
import { sharedDashboard } from '../../src/testing/shared-dashboard.ts';

const here = sharedDashboard();
const FOLLOW = `/trpc/guilds.follow?${new URLSearchParams({ input: JSON.stringify({ guild: IDS.guild }) })}`;

/** Returns a browser in which the owner is logged in. */
async function ownersBrowser(): Promise<Browser> {
  const browser = new Browser();
  await here.dashboard.login(browser, { personId: IDS.owner });
  return browser;
}

const logOut = (browser: Browser, personId: string) =>
  here.dashboard.visit(browser, '/logout', {
    method: 'POST',
    headers: { 'x-requested-by': 'dashboard', 'x-requested-for': personId },
  });

test.each([
  ['named once', [IDS.manager]],
  ['named beside the person of the session', [IDS.owner, IDS.manager]],
])('the page of another person, %s, gets no events of the session', async (_, ids) => {
  const named = ids.map((id) => `requested-for=${id}`).join('&');
  const response = await here.dashboard.visit(await ownersBrowser(), `${FOLLOW}&${named}`);
  expect(response.status).toBe(401);
  expect(await response.text()).toContain('/problems/not-authenticated');
});

test('the page of the person gets the events, and the api does not get the parameter', async () => {
  const received: (string | undefined)[] = [];
  await using api = await serveHttp(({ url }, response) => {
    received.push(url);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
  });
  const dashboard = await here.world.start({ API_URL: api.url, PORT: '0' });
  const browser = new Browser();
  await dashboard.login(browser, { personId: IDS.owner });
  const response = await dashboard.visit(browser, `${FOLLOW}&requested-for=${IDS.owner}&lastEventId=a%2F7`);
  expect(response.status).toBe(200);
  expect(received.filter((url) => url?.startsWith('/trpc/'))).toStrictEqual([`${FOLLOW}&lastEventId=a%2F7`]);
});

test('a logout on the page of another person does not end the session', async () => {
  const browser = await ownersBrowser();
  const response = await logOut(browser, IDS.manager);
  expect([response.status, response.headers.getSetCookie()]).toStrictEqual([204, []]);
  expect((await here.dashboard.visit(browser, '/session')).status).toBe(200);
  expect((await logOut(browser, IDS.owner)).headers.getSetCookie()).toHaveLength(2);
  expect((await here.dashboard.visit(browser, '/session')).status).toBe(204);
});
