import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RunOptions } from '../run-until-stopped.ts';
import type { OwnCode } from './own-code.ts';
import type { ToServices } from './services.ts';

/** The time that services have for a regular end; a debugger may have stopped them. */
const STOP_TIMEOUT_MS = 10_000;

const SERVICES = fileURLToPath(new URL('services.js', import.meta.url));

export interface ReloadedServicesOptions {
  readonly env: NodeJS.ProcessEnv;
  /** True: a debugger can attach to the services. */
  readonly isInspected: boolean;
}

/** The services in a process that is replaced when their code changes. */
export class ReloadedServices {
  readonly #options: ReloadedServicesOptions;
  #running: ChildProcess | null = null;
  #next: ChildProcess | null = null;
  #isStopping = false;
  #started: Promise<boolean> = Promise.resolve(false);

  constructor(options: ReloadedServicesOptions) {
    this.#options = options;
  }

  /** Resolves when the services have started or failed to. */
  get started(): Promise<boolean> {
    return this.#started;
  }

  /** Replaces the services. Resolves with false when the new ones did not start, after they have printed why. */
  replace(code: OwnCode, options: RunOptions): Promise<boolean> {
    this.#started = this.#replace(code, options);
    return this.#started;
  }

  /** Stops the services as SIGTERM does. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([end(this.#next, 'SIGKILL'), end(this.#running, 'SIGTERM')]);
  }

  async #replace({ module, dependencies }: OwnCode, options: RunOptions): Promise<boolean> {
    // At once, and also where a debugger has stopped it: acknowledged changes are on the disk.
    await end(this.#running, 'SIGKILL');
    const running = this.#next ?? this.#fork(dependencies);
    this.#running = running;
    this.#next = null;
    const ended = once(running, 'exit').then(() => false);
    send(running, { module, isInspected: this.#options.isInspected, options });
    const isStarted = await Promise.race([once(running, 'message').then(() => true), ended]);
    if (!this.#isStopping) this.#next = this.#fork(dependencies);
    return isStarted;
  }

  #fork(dependencies: readonly string[]): ChildProcess {
    const child = fork(SERVICES, { env: this.#options.env, execArgv: ['--enable-source-maps'] });
    send(child, { dependencies });
    return child;
  }
}

function send(child: ChildProcess, message: ToServices): void {
  // A process that has ended is noticed by its event.
  child.send(message, () => {});
}

async function end(child: ChildProcess | null, signal: NodeJS.Signals): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited.finally(() => clearTimeout(timer));
}
