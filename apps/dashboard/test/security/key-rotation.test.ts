import { randomBytes } from 'node:crypto';
import { startTestPostgres, type TestPostgres } from '@guild-settings/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser } from '../../src/testing/browser.ts';
import {
  type DashboardWorld,
  IDS,
  startDashboardWorld,
  type TestDashboard,
} from '../../src/testing/dashboard-world.ts';

let world: DashboardWorld;
let postgres: TestPostgres;
beforeAll(async () => {
  [world, postgres] = await Promise.all([startDashboardWorld(), startTestPostgres()]);
});
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
  await postgres?.[Symbol.asyncDispose]();
});

const statusAt = async (dashboard: TestDashboard, browser: Browser) =>
  (await dashboard.visit(browser, '/session')).status;
const read = (dashboard: TestDashboard, browser: Browser) =>
  dashboard.call(browser, 'guilds.get', { guild: IDS.guild });

test.each(['SQLite', 'PostgreSQL'])(
  'with %s: sessions of the old key go on, are encrypted by the new one, and need it from then on',
  async (kind) => {
    const database = kind === 'SQLite' ? {} : { DATABASE_URL: await postgres.createDatabase() };
    const first = await world.start({ ...database, PORT: '0' });
    const [used, unused] = [new Browser(), new Browser()];
    await first.login(used);
    await first.login(unused);
    const key = randomBytes(32).toString('base64');
    const where = kind === 'SQLite' ? { DATABASE_URL: `file:${first.databasePath}` } : database;
    const restart = async (keys: string) => {
      if (kind === 'SQLite') await first.close();
      return world.start({ ...where, SESSION_KEY: keys, PORT: '0' });
    };
    const rotating = await restart(`${key},${world.sessionKey}`);
    expect((await read(rotating, used)).status).toBe(200);
    if (kind === 'SQLite') await rotating.close();
    const rotated = await restart(key);
    expect((await read(rotated, used)).status).toBe(200);
    expect((await read(rotated, unused)).status).toBe(401);
    expect(await statusAt(rotated, unused)).toBe(401);
  },
);
