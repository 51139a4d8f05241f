import { once } from 'node:events';
import { relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stopSignal, UsageError } from '@guild-settings/runtime/command-line';
import { freePort, ResourceStack } from '@guild-settings/testing';
import { pageUrlOf, readSandboxConfig, withSessionKey } from '../config.ts';
import { requireFreePorts } from '../free-ports.ts';
import { type SimulatorUrls, serverPorts, startDiscord, withPort } from '../start-sandbox.ts';
import { REPOSITORY, servePage } from './page.ts';
import { RestartedServices, type StartOutcome } from './restarted-services.ts';

/** The time in which an editor writes the files of one save. */
const SAVE_MS = 20;

const OUTCOMES: Readonly<Record<StartOutcome, string>> = {
  started: 'Restarted',
  broken: 'Not restarted, the services run on as they were',
  failed: 'The services start after the next change',
};

interface DevelopOptions {
  readonly inspect: boolean;
  readonly json: boolean;
  readonly new: boolean;
}

/** Runs the sandbox until the process is told to stop, and replaces its services when a file that they import changes. */
export async function develop({ inspect, json, new: isNew }: DevelopOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const stop = stopSignal();
  const config = readSandboxConfig(env);
  if (config.api.page === undefined) {
    throw new UsageError('Expected DISCORD_CLIENT_SECRET and DISCORD_BOT_TOKEN too, or no DISCORD_APPLICATION_ID.');
  }
  await requireFreePorts(serverPorts(config), 'dev');
  await using resources = new ResourceStack();
  const { api, discord } = await withPort(config);
  const { server } = api;
  const dashboardUrl = api.page?.url;
  const simulator = discord.kind === 'real' ? undefined : resources.use(await startDiscord(discord, { dashboardUrl }));
  const ownPort = await freePort();
  const services = new RestartedServices({
    isInspected: inspect,
    env: {
      // With a key of each start, people would log in again after each change.
      ...(discord.kind === 'real' ? withSessionKey(env) : env),
      DASHBOARD_URL: dashboardUrl,
      PORT: String(ownPort),
    },
  });
  resources.use({ [Symbol.asyncDispose]: () => services.stop() });
  const page = resources.use(
    await servePage({
      host: server.host,
      port: server.port,
      apiUrl: `http://127.0.0.1:${ownPort}`,
      whenServed: () => services.started,
    }),
  );

  const options = {
    isNewDatabaseAllowed: isNew,
    simulator: simulator && addressesOf(simulator),
    apiUrl: pageUrlOf(server.port),
  };
  if ((await services.start({ ...options, report: json ? 'json' : 'text' })) !== 'started') {
    process.exitCode = 1;
    return;
  }
  page.onChange(
    oneAtATime(async (files) => {
      const changed = files.filter((file) => services.files.has(file));
      if (changed.length === 0 || stop.aborted) return;
      const startedAt = performance.now();
      const outcome = await services.start({ ...options, report: null });
      page.watch(services.files);
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      const names = changed.map((file) => relative(REPOSITORY, file)).join(', ');
      if (!stop.aborted) console.error(`${OUTCOMES[outcome]} (${seconds} s): ${names}`);
    }),
  );
  page.watch(services.files);
  if (!stop.aborted) await once(stop, 'abort');
  process.exitCode = 0;
}

/** A simulator's addresses, as a message to another process can hold them. */
function addressesOf({ url, apiUrl, chatUrl, authorizeUrl }: SimulatorUrls): SimulatorUrls {
  return { url, apiUrl, chatUrl, authorizeUrl };
}

/** Returns a function that calls back with the files of its calls, those of one save at once, and not while a call runs. */
function oneAtATime(callBack: (files: readonly string[]) => Promise<void>): (file: string) => Promise<void> {
  const waiting = new Set<string>();
  let isRunning = false;
  return async (file) => {
    waiting.add(file);
    if (isRunning) return;
    isRunning = true;
    while (waiting.size > 0) {
      await delay(SAVE_MS);
      const files = [...waiting];
      waiting.clear();
      await callBack(files);
    }
    isRunning = false;
  };
}
