import { once } from 'node:events';
import { relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stopSignal, UsageError } from '@guild-settings/runtime/command-line';
import { freePort, type Program, ResourceStack, startProgram } from '@guild-settings/testing';
import { pageUrlOf, readSandboxConfig, withSessionKey } from '../config.ts';
import { requireFreePorts } from '../free-ports.ts';
import type { RunOptions } from '../run-until-stopped.ts';
import { type SimulatorUrls, serverPorts, startDiscord, withPort } from '../start-sandbox.ts';
import { REPOSITORY, servePage } from './page.ts';
import type { FromServices, ToServices } from './services.ts';

/** Time in which an editor writes the files of one save. */
const SAVE_MS = 20;

const OUTCOMES: Readonly<Record<StartOutcome, string>> = {
  started: 'Restarted',
  broken: 'Not restarted: the services keep running unchanged',
  failed: 'The services start after the next change',
};

interface DevelopOptions {
  readonly inspect: boolean;
  readonly json: boolean;
  readonly new: boolean;
}

/** Runs the sandbox until the process is stopped, and restarts its services when a file that they import changes. */
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
  const simulator = discord.kind === 'real' ? undefined : resources.use(await startDiscord(discord, dashboardUrl));
  const ownPort = await freePort();
  const services = new RestartedServices({
    isInspected: inspect,
    env: {
      // With a new key for each start, people would have to log in again after each change.
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

/** A simulator's addresses in a form that can be sent to another process. */
function addressesOf({ url, apiUrl, chatUrl, authorizeUrl }: SimulatorUrls): SimulatorUrls {
  return { url, apiUrl, chatUrl, authorizeUrl };
}

/**
 * Returns a function that calls back with the files of its calls: those of one save together, and never concurrently.
 */
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

/** Time limit for a regular stop of the services; a debugger may have paused them. */
const STOP_TIMEOUT_MS = 10_000;

const SERVICES = fileURLToPath(new URL('services.ts', import.meta.url));

interface RestartedServicesOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly isInspected: boolean;
}

/** The outcome of a start: if a module has an error, the running services stay unchanged. */
type StartOutcome = 'started' | 'broken' | 'failed';

/** The services in a process that is replaced when a file that it has imported changes. */
class RestartedServices {
  /** The files that the services have imported. */
  readonly files = new Set<string>();
  readonly #options: RestartedServicesOptions;
  #dependencies: readonly string[] = [];
  #running: Program | null = null;
  /** The process of the next start, with loaded dependencies. */
  #next: Program | null = null;
  #isStopping = false;
  #started: Promise<unknown> = Promise.resolve();

  constructor(options: RestartedServicesOptions) {
    this.#options = options;
  }

  /** Resolves when the services have started or failed to start. */
  get started(): Promise<unknown> {
    return this.#started;
  }

  /**
   * Starts the services in place of the running ones, after their modules are loaded. They print the reason of a failed
   * start.
   */
  async start(options: RunOptions): Promise<StartOutcome> {
    const next = this.#next ?? this.#prepare();
    send(next, { isLoading: true });
    if ((await this.#stateOf(next)) !== 'loaded') {
      if (!this.#isStopping) this.#prepare();
      return 'broken';
    }
    if (this.#isStopping) return 'broken';
    const started = this.#replace(next, options);
    this.#started = started;
    const isStarted = await started;
    if (!this.#isStopping) this.#prepare();
    return isStarted ? 'started' : 'failed';
  }

  /** Stops the services like SIGTERM. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const timer = setTimeout(() => this.#running?.signal('SIGKILL'), STOP_TIMEOUT_MS);
    await Promise.all([this.#next?.end('SIGKILL'), this.#running?.end('SIGTERM')]).finally(() => clearTimeout(timer));
  }

  async #replace(next: Program, options: RunOptions): Promise<boolean> {
    // Killed at once, even if a debugger has paused it: acknowledged changes are on disk.
    await this.#running?.end('SIGKILL');
    this.#running = next;
    this.#next = null;
    send(next, { isInspected: this.#options.isInspected, options });
    return (await this.#stateOf(next)) === 'started';
  }

  #prepare(): Program {
    const program = startProgram({ args: [SERVICES], env: this.#options.env, ipc: true });
    program.child.stdout?.pipe(process.stdout);
    program.child.stderr?.pipe(process.stderr);
    send(program, { dependencies: this.#dependencies });
    this.#next = program;
    return program;
  }

  /** Resolves with the next state of a process; undefined when it ends before. */
  async #stateOf({ child, exited }: Program): Promise<FromServices['state'] | undefined> {
    const received = once(child, 'message').then(([message]) => message as FromServices);
    const message = await Promise.race([received, exited.then(() => undefined)]);
    for (const file of message?.files ?? []) this.files.add(file);
    this.#dependencies = message?.dependencies ?? this.#dependencies;
    return message?.state;
  }
}

function send({ child }: Program, message: ToServices): void {
  // A process that has ended is noticed by its event.
  child.send(message, () => {});
}
