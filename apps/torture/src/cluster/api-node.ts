import { setTimeout as delay } from 'node:timers/promises';
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
  readonly main: string;
  readonly env: NodeJS.ProcessEnv;
}

/** An api process. It keeps its port over restarts and is reached through a proxy. */
export interface ApiNode extends AsyncDisposable {
  readonly index: number;
  readonly url: string;
  readonly proxy: TcpProxy;
  /** The main.js of the next start. */
  main: string;
  /** Sets the offset of its wall clock: at once if it listens, and after each start. */
  stepClock(offsetMs: number): void;
  ensureUp(timeoutMs: number): Promise<boolean>;
  end(signal: NodeJS.Signals): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  output(): string;
  /** The exit of each process that crashed after it had been listening, and its standard error. */
  readonly crashes: readonly string[];
}

export async function createApiNode({ index, main, env }: ApiNodeOptions): Promise<ApiNode> {
  const port = await freePort();
  const proxy = await startTcpProxy(port);
  const crashes: string[] = [];
  const clock = steppedClock();
  let program: Program | undefined;
  let listens = false;
  let hasServed = false;

  const startOnce = async (timeoutMs: number, { main }: ApiNode): Promise<boolean> => {
    const started = startProgram({
      // Until it has served: its own ledger of erasures is not the first one of the database.
      args: [...clock.nodeArguments, main, ...(hasServed ? [] : ['--new'])],
      env: { ...env, HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'info' },
    });
    program = started;
    listens = false;
    listens = (await started.findOutput(LISTENS, timeoutMs)) !== null;
    if (!listens) {
      await started.end('SIGKILL');
      return false;
    }
    hasServed = true;
    void started.exited.then(({ code, signal }) => {
      if (started.wasEnded()) return;
      const end = `ended with code ${code}, signal ${signal}`;
      // An error is written before the last lines of the log, and by another stream.
      crashes.push(`api ${index} (${main}, process ${started.pid}) ${end}: ${started.stderr().slice(-4_000)}`);
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
        const remainingMs = deadline - performance.now();
        if (remainingMs <= 0) return false;
        // Fails while the database cannot be reached.
        if (await startOnce(remainingMs, node)) return true;
        await delay(50);
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
