import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startProgram } from '@guild-settings/testing';

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
  const { child, exited } = startProgram({
    args: [join(folder, 'reader/program/main.mjs')],
    env: { ...process.env, ...env },
    hasInput: true,
  });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('Expected a process with pipes');
  child.stderr?.pipe(process.stderr);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  createInterface({ input: stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line) as Answer;
    if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(error));
    waiting.delete(id);
  });
  void exited.then(() => {
    for (const { reject } of waiting.values()) reject(new Error('The reader has ended'));
  });
  return {
    send<Result>(name: string, options: object = {}) {
      lastId += 1;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(lastId, answer);
      stdin.write(`${JSON.stringify({ id: lastId, name, ...options })}\n`);
      return answer.promise as Promise<Result>;
    },
    async [Symbol.asyncDispose]() {
      stdin.end();
      await exited;
    },
  };
}
