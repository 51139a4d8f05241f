import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Place, run } from '../servers/program.ts';
import type { LoadAnswer } from './jobs.ts';

/** A process that makes load. */
export interface Load<Job> extends AsyncDisposable {
  /** Makes load as asked for; how many operations a second were answered. */
  (job: Job): Promise<number>;
}

/** Starts a process for load of one kind. */
export function startLoad<Job extends object>(name: 'http-load' | 'trpc-load', place: Place = 'load'): Load<Job> {
  const file = fileURLToPath(new URL(`../../dist/load/${name}.js`, import.meta.url));
  const program = run({ file, place });
  const died = program.ended.then((): LoadAnswer => ({ error: `The load ended by itself:\n${program.output()}` }));
  const load = async (job: Job): Promise<number> => {
    const answered = once(program.child, 'message').then(([answer]) => answer as LoadAnswer);
    program.child.send(job);
    const answer = await Promise.race([answered, died]);
    if ('error' in answer) throw new Error(answer.error);
    return answer.perSecond;
  };
  return Object.assign(load, { [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() });
}
