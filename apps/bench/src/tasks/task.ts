import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Program, type ProgramOptions, run } from '../servers/program.ts';

/** A process that measures something each time it is asked to. */
export interface Task<Job, Answer> extends AsyncDisposable {
  (job: Job): Promise<Answer>;
  readonly program: Program;
}

/** Starts the process of `src/tasks/<name>.ts`, which calls `answerJobs`. */
export function startTask<Job extends object, Answer>(
  name: string,
  options: Omit<ProgramOptions, 'file'> = {},
): Task<Job, Answer> {
  const file = fileURLToPath(new URL(`../../dist/tasks/${name}.js`, import.meta.url));
  const program = run({ place: 'load', ...options, file });
  const died = program.ended.then((): Reply<Answer> => ({ error: `${name} ended by itself:\n${program.output()}` }));
  const ask = async (job: Job): Promise<Answer> => {
    const answered = once(program.child, 'message').then(([reply]) => reply as Reply<Answer>);
    program.child.send(job);
    const reply = await Promise.race([answered, died]);
    if ('error' in reply) throw new Error(reply.error);
    return reply.answer;
  };
  return Object.assign(ask, { program, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() });
}

/** Makes this process a task: each job that it is sent is answered, one after another. */
export function answerJobs<Job, Answer>(answer: (job: Job) => Promise<Answer>): void {
  process.on('message', (job: Job) => {
    answer(job).then(
      (result) => process.send?.({ answer: result } satisfies Reply<Answer>),
      (error: unknown) => process.send?.({ error: error instanceof Error ? (error.stack ?? '') : String(error) }),
    );
  });
}

type Reply<Answer> = { readonly answer: Answer } | { readonly error: string };
