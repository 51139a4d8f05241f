import type { Bot } from '@guild-settings/bot';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { readSandboxConfig, startSandbox } from '@guild-settings/sandbox';
import { ResourceStack, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { readChanges } from '@guild-settings/testing/stores';
import { test as base } from 'vitest';
import { UNLIMITED } from './test-bot.ts';

/** A sandbox with an empty database, stopped at the end of its scope. */
export interface TestSandbox extends AsyncDisposable {
  readonly apiUrl: string;
  readonly discord: DiscordSim;
  /** The clock of the api and Discord, as milliseconds ahead of the system's. */
  readonly clock: { aheadMs: number; readonly now: () => number };
}

export interface BotSandbox extends TestSandbox {
  readonly bot: Bot;
  changes(): ReturnType<typeof readChanges>;
}

/**
 * Starts a sandbox on free ports, without a bot. `env` changes its configuration.
 * @param hasFirstChanges true: with the changes before the first `start`, in place of an empty history
 */
export async function startTestSandbox(env: NodeJS.ProcessEnv = {}, hasFirstChanges = false): Promise<TestSandbox> {
  return start({ env: { LOG_LEVEL: 'silent', ...env }, hasBot: false, hasFirstChanges });
}

/** Starts a sandbox with its bot on free ports, and waits until the bot has reported its guilds. */
export async function startBotSandbox(): Promise<BotSandbox> {
  const { bot, database, ...sandbox } = await start({
    env: { LOG_LEVEL: 'warn' },
    hasBot: true,
    hasFirstChanges: false,
  });
  if (!bot) throw new Error('Expected a bot');
  const changes = () => readChanges({ databasePath: database });
  await waitUntil(() => changes().length > 0, { message: "the bot's report of its guilds" });
  return { ...sandbox, bot, changes };
}

interface StartOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly hasBot: boolean;
  readonly hasFirstChanges: boolean;
}

async function start({ env, hasBot, hasFirstChanges }: StartOptions) {
  await using resources = new ResourceStack();
  const folder = resources.use(temporaryFolder());
  const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs };
  const config = readSandboxConfig({
    PORT: '0',
    SIM_PORT: '0',
    HEALTH_PORT: '0',
    DATABASE_URL: `file:${folder.file('api.db')}`,
    BOT_DATABASE_URL: `file:${folder.file('bot.db')}`,
    ...env,
  });
  const parts = { ...config, ...(!hasBot && { bot: null }), api: { ...config.api, page: undefined } };
  const { apiUrl, simulator, bot, database, close } = await startSandbox(parts, {
    clock: clock.now,
    limits: UNLIMITED,
    hasFirstChanges,
  });
  resources.use({ [Symbol.asyncDispose]: close });
  if (!simulator) throw new Error('Expected a simulated Discord');
  const owned = resources.move();
  return {
    apiUrl,
    discord: simulator,
    clock,
    bot,
    database,
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}

/** Tests with their own sandbox, `sandbox`. */
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures this one needs.
export const test = base.extend('sandbox', async ({}, { onCleanup }) => {
  const sandbox = await startTestSandbox();
  onCleanup(() => sandbox[Symbol.asyncDispose]());
  return sandbox;
});
