import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Place, startPlaced } from '../servers/program.ts';

export interface Task<Job, Result> extends AsyncDisposable {
  (job: Job): Promise<Result>;
  readonly pid: number;
}

/** Starts the process of `src/tasks/<name>.ts`, which calls `handleJobs`. */
export function startTask<Job extends object, Result>(name: string, place: Place = 'load'): Task<Job, Result> {
  const file = fileURLToPath(new URL(`../../dist/tasks/${name}.js`, import.meta.url));
  const program = startPlaced({ place, file });
  const died = program.exited.then((): Reply<Result> => ({ error: `${name} exited:\n${program.output()}` }));
  const run = async (job: Job): Promise<Result> => {
    const replied = once(program.child, 'message').then(([reply]) => reply as Reply<Result>);
    program.child.send(job);
    const reply = await Promise.race([replied, died]);
    if ('error' in reply) throw new Error(reply.error);
    return reply.result;
  };
  return Object.assign(run, { pid: program.pid, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() });
}

/** Makes this process a task: it handles the jobs that it receives one after another. */
export function handleJobs<Job, Result>(handle: (job: Job) => Promise<Result>): void {
  process.on('message', (job: Job) => {
    handle(job).then(
      (result) => process.send?.({ result } satisfies Reply<Result>),
      (error: unknown) => process.send?.({ error: error instanceof Error ? (error.stack ?? '') : String(error) }),
    );
  });
}

type Reply<Result> = { readonly result: Result } | { readonly error: string };
