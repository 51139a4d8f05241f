import { expect, test } from 'vitest';
import { Browser } from '../src/testing/browser.ts';
import { IDS } from '../src/testing/dashboard-world.ts';
import { sharedDashboard } from '../src/testing/shared-dashboard.ts';

const here = sharedDashboard();

test.each(['features.list', 'settings.get'])(
  'what the service says of %s is the same for everybody: it is asked once, and needs a session all the same',
  async (name) => {
    const [first, second, visitor] = [new Browser(), new Browser(), new Browser()];
    await here.dashboard.login(first);
    await here.dashboard.login(second);
    const read = (browser: Browser, path: string, headers = {}) =>
      here.dashboard.visit(browser, `/trpc/${path}`, { headers });
    const guild = `guilds.get?input=${encodeURIComponent(JSON.stringify({ guild: IDS.guild }))}`;
    const asked = await read(first, name);
    expect((await read(first, guild)).status).toBe(200);
    await here.world.stopApi();
    const kept = await read(second, name);
    expect(kept.status).toBe(200);
    expect(kept.headers.get('etag')).toBe(asked.headers.get('etag'));
    expect(await kept.json()).toEqual(await asked.json());
    expect((await read(visitor, name)).status).toBe(401);
    expect((await read(second, guild)).status).toBeGreaterThanOrEqual(500);
    expect((await read(second, name, { 'cache-control': 'no-cache' })).status).toBeGreaterThanOrEqual(500);
    await here.world.startApi();
  },
);
