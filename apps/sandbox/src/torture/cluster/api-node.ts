import { freePort } from '../../free-port.ts';
import { type Program, start } from './program.ts';
import { startWire, type Wire } from './wire.ts';

export interface ApiNodeOptions {
  readonly index: number;
  /** The built program that it runs at first. */
  readonly main: string;
  readonly env: NodeJS.ProcessEnv;
}

/** One api process, which keeps its port over restarts and is reached through a wire. */
export interface ApiNode extends AsyncDisposable {
  readonly index: number;
  /** Where it is reached: through the wire. */
  readonly url: string;
  readonly wire: Wire;
  /** The built program that it runs from the next start on. */
  main: string;
  /** How far its clock is off after the next start, in milliseconds. */
  clockStep: number;
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
export async function createApiNode({ index, main, env }: ApiNodeOptions): Promise<ApiNode> {
  const port = await freePort();
  const wire = await startWire(port);
  const crashes: string[] = [];
  let program: Program | undefined;

  const startOnce = async (milliseconds: number, { main, clockStep }: ApiNode): Promise<boolean> => {
    const started = start({
      file: process.execPath,
      args: [...(clockStep === 0 ? [] : ['--import', clockShim(clockStep)]), main],
      env: { ...env, HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'info' },
    });
    program = started;
    const listens = await started.printed(LISTENS, milliseconds);
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
    clockStep: 0,
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
    end: async (signal) => program?.end(signal),
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

/** A module that moves a process's clock before anything else is loaded. */
function clockShim(step: number): string {
  const code = `const now = Date.now; Date.now = () => now() + ${step};`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
