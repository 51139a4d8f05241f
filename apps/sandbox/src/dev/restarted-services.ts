import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Program, startProgram } from '@guild-settings/testing';
import type { RunOptions } from '../run-until-stopped.ts';
import type { FromServices, ToServices } from './services.ts';

/** The time that services have for a regular end; a debugger may have stopped them. */
const STOP_TIMEOUT_MS = 10_000;

const SERVICES = fileURLToPath(new URL('services.ts', import.meta.url));

export interface RestartedServicesOptions {
  readonly env: NodeJS.ProcessEnv;
  /** True: a debugger can attach to the services. */
  readonly isInspected: boolean;
}

/** The outcome of a start: modules with an error leave the services that run as they are. */
export type StartOutcome = 'started' | 'broken' | 'failed';

/** The services in a process that is replaced when a file that it has imported changes. */
export class RestartedServices {
  /** The files that the services have imported. */
  readonly files = new Set<string>();
  readonly #options: RestartedServicesOptions;
  #dependencies: readonly string[] = [];
  #running: Program | null = null;
  /** The process of the next start, which has loaded the dependencies. */
  #next: Program | null = null;
  #isStopping = false;
  #started: Promise<unknown> = Promise.resolve();

  constructor(options: RestartedServicesOptions) {
    this.#options = options;
  }

  /** Resolves when the services have started or failed to. */
  get started(): Promise<unknown> {
    return this.#started;
  }

  /** Starts the services in place of those that run, after it has loaded their modules. They print why they do not start. */
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

  /** Stops the services as SIGTERM does. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const timer = setTimeout(() => this.#running?.signal('SIGKILL'), STOP_TIMEOUT_MS);
    await Promise.all([this.#next?.end('SIGKILL'), this.#running?.end('SIGTERM')]).finally(() => clearTimeout(timer));
  }

  async #replace(next: Program, options: RunOptions): Promise<boolean> {
    // At once, and also where a debugger has stopped it: acknowledged changes are on the disk.
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
