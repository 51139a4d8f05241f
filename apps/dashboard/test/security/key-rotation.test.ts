import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Browser } from '../../src/testing/browser.ts';
import {
  DATABASES,
  readGuildAt as read,
  sharedDeployments,
  sessionStatusAt as statusAt,
} from '../../src/testing/shared-deployments.ts';

const here = sharedDeployments();

test.each(DATABASES)(
  'with %s: sessions of the old key stay valid while it is listed, and are encrypted with the new key when they are used',
  async (kind) => {
    const { world } = here;
    const database = await here.createDatabase(kind);
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
