import {
  freePort,
  type Program,
  startProgram,
  startTcpProxy,
  steppedClock,
  type TcpProxy,
} from '@guild-settings/testing';

export interface ApiNodeOptions {
  readonly index: number;
  /** The built program that it runs at first. */
  readonly main: string;
  readonly env: NodeJS.ProcessEnv;
}

/** One api process, which keeps its port over restarts and is reached through a proxy. */
export interface ApiNode extends AsyncDisposable {
  readonly index: number;
  /** The URL of its proxy. */
  readonly url: string;
  readonly proxy: TcpProxy;
  /** The built program that it runs from the next start on. */
  main: string;
  /** Sets how far its wall clock is off, in milliseconds: at once where it listens, and after each start. */
  stepClock(offsetMs: number): void;
  /** Starts it unless it runs, as often as that takes within the time. Whether it listens then. */
  ensureUp(timeoutMs: number): Promise<boolean>;
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
  const proxy = await startTcpProxy(port);
  const crashes: string[] = [];
  const clock = steppedClock();
  let program: Program | undefined;
  /** Whether it has come as far as to take signals. */
  let listens = false;

  const startOnce = async (timeoutMs: number, { main }: ApiNode): Promise<boolean> => {
    const started = startProgram({
      args: [...clock.nodeArguments, main],
      env: { ...env, HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'info' },
    });
    program = started;
    listens = false;
    listens = (await started.findOutput(LISTENS, timeoutMs)) !== null;
    if (!listens) {
      await started.end('SIGKILL');
      return false;
    }
    void started.exited.then(() => {
      if (!started.wasEnded()) crashes.push(`api ${index}: ${started.output().slice(-1_000)}`);
    });
    return true;
  };
  const node: ApiNode = {
    index,
    url: `http://127.0.0.1:${proxy.port}`,
    proxy,
    main,
    crashes,
    async ensureUp(timeoutMs) {
      const deadline = performance.now() + timeoutMs;
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
      await proxy[Symbol.asyncDispose]();
      clock[Symbol.dispose]();
    },
  };
  return node;
}

const LISTENS = /listening at http/;
