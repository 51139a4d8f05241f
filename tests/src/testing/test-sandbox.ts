import type { DiscordSim } from '@guild-settings/discord-sim';
import { readSandboxConfig, startSandbox } from '@guild-settings/sandbox';
import { temporaryFolder } from '@guild-settings/testing';

/** A sandbox with an empty database, stopped at the end of its scope. */
export interface TestSandbox extends AsyncDisposable {
  readonly apiUrl: string;
  readonly discord: DiscordSim;
  /** The clock of the api and Discord, as milliseconds ahead of the system's. */
  readonly clock: { aheadMs: number; readonly now: () => number };
}

/** Starts a sandbox on free ports, without a bot. `env` changes its configuration. */
export async function startTestSandbox(env: NodeJS.ProcessEnv = {}): Promise<TestSandbox> {
  const folder = temporaryFolder();
  const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs };
  const config = readSandboxConfig({
    PORT: '0',
    SIM_PORT: '0',
    HEALTH_PORT: '0',
    DATABASE_URL: `file:${folder.path}/test.db`,
    LOG_LEVEL: 'silent',
    ...env,
  });
  const { apiUrl, simulator, close } = await startSandbox(
    { ...config, bot: null, dashboard: null },
    { clock: clock.now },
  );
  if (!simulator) throw new Error('Expected a simulated Discord');
  return {
    apiUrl,
    discord: simulator,
    clock,
    async [Symbol.asyncDispose]() {
      await close();
      folder[Symbol.dispose]();
    },
  };
}
