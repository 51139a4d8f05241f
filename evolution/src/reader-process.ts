import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A version of the reader as a process: `reader.ts` describes its commands. */
export interface ReaderProcess extends AsyncDisposable {
  /**
   * Sends a command and returns its result.
   * @throws Error with the reader's own error
   */
  send<Result = unknown>(name: string, options?: object): Promise<Result>;
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

/**
 * Starts the reader of a version.
 * @param folder the folder of the version
 * @param env variables beside those of this process
 */
export function startReader(folder: string, env: NodeJS.ProcessEnv = {}): ReaderProcess {
  const child = spawn(process.execPath, [join(folder, 'reader/program/main.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const ended = once(child, 'close');
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line) as Answer;
    if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(error));
    waiting.delete(id);
  });
  void ended.then(() => {
    for (const { reject } of waiting.values()) reject(new Error('The reader has ended'));
  });
  return {
    send<Result>(name: string, options: object = {}) {
      lastId += 1;
      const answer = withResolvers();
      waiting.set(lastId, answer);
      child.stdin.write(`${JSON.stringify({ id: lastId, name, ...options })}\n`);
      return answer.promise as Promise<Result>;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}

interface PromiseWithResolvers<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}

function withResolvers(): PromiseWithResolvers<unknown> {
  let functions: Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'> | undefined;
  const promise = new Promise((resolve, reject) => {
    functions = { resolve, reject };
  });
  if (functions === undefined) throw new Error('Expected the executor to be called');
  return { promise, ...functions };
}
