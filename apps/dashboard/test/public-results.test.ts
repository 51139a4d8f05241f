import { expect, test } from 'vitest';
import { Browser } from '../src/testing/browser.ts';
import { IDS } from '../src/testing/dashboard-world.ts';
import { sharedDashboard } from '../src/testing/shared-dashboard.ts';

const here = sharedDashboard();

test('what the service says is the same for everybody is asked of it once, and needs a session all the same', async () => {
  const [first, second, visitor] = [new Browser(), new Browser(), new Browser()];
  await here.dashboard.login(first);
  await here.dashboard.login(second);
  const read = (browser: Browser, path: string) => here.dashboard.visit(browser, `/trpc/${path}`);
  const guild = `guilds.get?input=${encodeURIComponent(JSON.stringify({ guild: IDS.guild }))}`;
  const catalogue = await read(first, 'features.list');
  expect((await read(first, guild)).status).toBe(200);
  await here.world.stopApi();
  const kept = await read(second, 'features.list');
  expect(kept.status).toBe(200);
  expect(kept.headers.get('etag')).toBe(catalogue.headers.get('etag'));
  expect(await kept.json()).toEqual(await catalogue.json());
  expect((await read(visitor, 'features.list')).status).toBe(401);
  expect((await read(second, guild)).status).toBeGreaterThanOrEqual(500);
  const asked = await here.dashboard.visit(second, '/trpc/features.list', { headers: { 'cache-control': 'no-cache' } });
  expect(asked.status).toBeGreaterThanOrEqual(500);
  await here.world.startApi();
});
