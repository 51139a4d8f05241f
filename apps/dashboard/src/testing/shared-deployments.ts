import { startTestPostgres, type TestPostgres } from '@guild-settings/testing';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Browser } from './browser.ts';
import { type DashboardWorld, IDS, startDashboardWorld, type TestDashboard } from './dashboard-world.ts';

/** The databases that sessions can be in. */
export const DATABASES = ['SQLite', 'PostgreSQL'] as const;
export type DatabaseKind = (typeof DATABASES)[number];

/** A world whose tests start dashboards on databases of both kinds, while they run. */
export interface SharedDeployments {
  readonly world: DashboardWorld;
  /** Creates a database for the dashboards of a test: for SQLite, each has a file of its own. @returns its part of their environment */
  createDatabase(kind: DatabaseKind): Promise<NodeJS.ProcessEnv>;
}

/** Starts a world and PostgreSQL for the tests of a file. The faults of Discord end with each test. */
export function sharedDeployments(): SharedDeployments {
  let started: readonly [DashboardWorld, TestPostgres] | undefined;
  beforeAll(async () => {
    started = await Promise.all([startDashboardWorld(), startTestPostgres()]);
  });
  afterEach(() => started?.[0].discord.faults.clear());
  afterAll(async () => {
    for (const part of started ?? []) await part[Symbol.asyncDispose]();
  });
  const parts = () => {
    if (started === undefined) throw new Error('Expected a use in a test, received one before the world has started');
    return started;
  };
  return {
    get world() {
      return parts()[0];
    },
    async createDatabase(kind) {
      return kind === 'SQLite' ? {} : { DATABASE_URL: await parts()[1].createDatabase() };
    },
  };
}

/** Returns the status with which a dashboard responds to a browser that reads its session. */
export async function sessionStatusAt(dashboard: TestDashboard, browser: Browser): Promise<number> {
  return (await dashboard.visit(browser, '/session')).status;
}

/** Reads the settings of the guild with the session of a browser. */
export function readGuildAt(dashboard: TestDashboard, browser: Browser): Promise<Response> {
  return dashboard.call(browser, 'guilds.get', { guild: IDS.guild });
}
