import { freePort } from '../../free-port.ts';
import { type Program, start } from './program.ts';
import { steppedClock } from './stepped-clock.ts';
import { startWire, type Wire } from './wire.ts';

export interface ApiNodeOptions {
  readonly index: number;
  /** The built program that it runs at first. */
  readonly main: string;
  readonly env: NodeJS.ProcessEnv;
  /** Where the harness keeps what is about the process. */
  readonly folder: string;
}

/** One api process, which keeps its port over restarts and is reached through a wire. */
export interface ApiNode extends AsyncDisposable {
  readonly index: number;
  /** Where it is reached: through the wire. */
  readonly url: string;
  readonly wire: Wire;
  /** The built program that it runs from the next start on. */
  main: string;
  /** Sets how far its wall clock is off, in milliseconds: at once where it listens, and after each start. */
  stepClock(offsetMs: number): void;
  /** Starts it unless it runs, as often as that takes within the time. Whether it listens then. */
  ensureUp(milliseconds: number): Promise<boolean>;
  end(signal: NodeJS.Signals): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** The end of what it said since its last start. */
  output(): string;
  /** What it said when it ended by itself after it had been listening. */
  readonly crashes: readonly string[];
}

/** Prepares an api process; nothing is started yet. */
export async function createApiNode({ index, main, env, folder }: ApiNodeOptions): Promise<ApiNode> {
  const port = await freePort();
  const wire = await startWire(port);
  const crashes: string[] = [];
  const clock = steppedClock(folder, `api-${index}`);
  let program: Program | undefined;
  /** Whether it has come as far as to take signals. */
  let listens = false;

  const startOnce = async (milliseconds: number, { main }: ApiNode): Promise<boolean> => {
    const started = start({
      file: process.execPath,
      args: [...clock.nodeArguments, main],
      env: { ...env, HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'info' },
    });
    program = started;
    listens = false;
    listens = await started.printed(LISTENS, milliseconds);
    if (!listens) {
      await started.end('SIGKILL');
      return false;
    }
    void started.ended.then(() => {
      if (!started.wasEnded()) crashes.push(`api ${index}: ${started.output().slice(-1_000)}`);
    });
    return true;
  };
  const node: ApiNode = {
    index,
    url: `http://127.0.0.1:${wire.port}`,
    wire,
    main,
    crashes,
    async ensureUp(milliseconds) {
      const deadline = performance.now() + milliseconds;
      while (!program?.isRunning()) {
        const left = deadline - performance.now();
        // Without its database it says so and ends.
        if (left <= 0) return false;
        if (await startOnce(left, node)) return true;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return true;
    },
    stepClock: (offsetMs) => clock.step(offsetMs, listens && program?.isRunning() ? program.pid : undefined),
    async end(signal) {
      listens = false;
      await program?.end(signal);
    },
    signal: (signal) => program?.signal(signal),
    output: () => program?.output() ?? '',
    async [Symbol.asyncDispose]() {
      await program?.end('SIGKILL');
      await wire[Symbol.asyncDispose]();
    },
  };
  return node;
}

const LISTENS = /listening at http/;
