import { setTimeout as delay } from 'node:timers/promises';
import { freePort, type Program } from '@guild-settings/testing';
import { type PlacedProgramOptions, startPlaced } from './program.ts';

/** An HTTP server process. */
export interface Server extends AsyncDisposable {
  readonly url: string;
  readonly program: Program;
  /** From the start of the process until it was ready. */
  readonly readyAfterMs: number;
}

export interface ServerOptions extends PlacedProgramOptions {
  /** The environment variable of its port; PORT unless given. */
  readonly portVariable?: string;
  /** Its port; a free one unless given. */
  readonly port?: number;
  /** The path that responds with 2xx once the server is ready; /readyz unless given. */
  readonly readyPath?: string;
}

const START_TIMEOUT_MS = 60_000;

/** Starts a server on a free port and waits until it is ready. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { portVariable = 'PORT', readyPath = '/readyz', place = 'server' } = options;
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const program = startPlaced({ ...options, place, env: { ...options.env, [portVariable]: String(port) } });
  while (!(await isReady(url + readyPath))) {
    if (!program.isRunning() || performance.now() - started > START_TIMEOUT_MS) {
      await program[Symbol.asyncDispose]();
      throw new Error(`${options.file} is not ready:\n${program.output()}`);
    }
    await delay(1);
  }
  const readyAfterMs = performance.now() - started;
  return { url, program, readyAfterMs, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
