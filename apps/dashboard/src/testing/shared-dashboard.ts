import { afterAll, afterEach, beforeAll } from 'vitest';
import { type DashboardWorld, startDashboardWorld, type TestDashboard } from './dashboard-world.ts';

/** A world with one dashboard, while the tests run. */
export interface SharedDashboard {
  readonly world: DashboardWorld;
  readonly dashboard: TestDashboard;
}

/**
 * Starts one dashboard for the tests of a file, which must not depend on what another one of them did. The faults of Discord end
 * with each test.
 */
export function sharedDashboard(env?: NodeJS.ProcessEnv): SharedDashboard {
  let world: DashboardWorld | undefined;
  let dashboard: TestDashboard | undefined;
  beforeAll(async () => {
    world = await startDashboardWorld();
    dashboard = await world.start(env);
  });
  afterEach(() => world?.discord.faults.clear());
  afterAll(() => world?.[Symbol.asyncDispose]());
  const started = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('Expected a use in a test, received one before the dashboard has started');
    return part;
  };
  return {
    get world() {
      return started(world);
    },
    get dashboard() {
      return started(dashboard);
    },
  };
}
