import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@guild-settings/testing';
import { type Program, type ProgramOptions, run } from './program.ts';

/** An HTTP server in a process of its own. */
export interface Server extends AsyncDisposable {
  readonly url: string;
  readonly program: Program;
  /** Milliseconds from its start until it was ready. */
  readonly readyAfter: number;
}

export interface ServerOptions extends ProgramOptions {
  /** The variable that says where it listens. */
  readonly portVariable?: string;
  /** Answers with a success once it is ready. */
  readonly readyPath?: string;
}

/** How long a server may take to be ready, in milliseconds. */
const PATIENCE = 60_000;

/** Starts a server on a free port and waits until it is ready. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { portVariable = 'PORT', readyPath = '/readyz', place = 'server' } = options;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const program = run({ ...options, place, env: { ...options.env, [portVariable]: String(port) } });
  while (!(await answers(url + readyPath))) {
    if (
      program.child.exitCode !== null ||
      program.child.signalCode !== null ||
      performance.now() - started > PATIENCE
    ) {
      await program[Symbol.asyncDispose]();
      throw new Error(`${options.file} does not get ready:\n${program.output()}`);
    }
    await delay(1);
  }
  const readyAfter = performance.now() - started;
  return { url, program, readyAfter, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() };
}

async function answers(address: string): Promise<boolean> {
  try {
    const response = await fetch(address);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
