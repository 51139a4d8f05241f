import type { Door, Operation } from '../history.ts';
import { type Ask, type Question, restDoor, trpcDoor } from './clients.ts';

/** Who asks, by which way, which process. */
export interface Route {
  readonly door: Door;
  readonly process: number;
}

/** Asks the service, and writes down what was asked and what came of it. */
export interface Recorder {
  readonly operations: readonly Operation[];
  /** The newest revision that anybody saw of a guild. */
  newest(guild: string): number;
  ask(route: Route, question: Question & { readonly floor?: number }): Promise<Operation>;
}

export interface RecorderOptions {
  /** Where each process is reached. */
  readonly urls: readonly string[];
  readonly tokens: { readonly person: string; readonly application: string };
}

/** Starts with nothing written down. */
export function createRecorder({ urls, tokens }: RecorderOptions): Recorder {
  const doors = urls.map(
    (url): Record<Door, Ask> => ({
      rest: restDoor(url, tokens.person),
      trpc: trpcDoor(url, tokens.application),
    }),
  );
  const operations: Operation[] = [];
  const newest = new Map<string, number>();
  return {
    operations,
    newest: (guild) => newest.get(guild) ?? 0,
    async ask({ door, process }, { floor, ...question }) {
      const ask = doors[process]?.[door];
      if (ask === undefined) throw new RangeError(`there is no process ${process}`);
      const start = performance.now();
      const answer = await ask(question);
      const operation: Operation = {
        kind: question.mark === undefined ? 'read' : 'write',
        ...question,
        ...(floor !== undefined && { floor }),
        door,
        process,
        start,
        end: performance.now(),
        ...answer,
      };
      operations.push(operation);
      const { outcome, guild } = operation;
      if (outcome.kind === 'ok') newest.set(guild, Math.max(newest.get(guild) ?? 0, outcome.seen.revision));
      return operation;
    },
  };
}
