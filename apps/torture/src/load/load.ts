import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Recorder } from './recorder.ts';

const WRITERS = 16;
const READERS = 4;

/** Milliseconds of rest after an answer that is not what was hoped for, and of a reader after each. */
const REST = 50;
const READER_REST = 4;

/** The reading and writing that goes on while things fail. */
export interface Load {
  /** Ends it; resolves when nothing is under way. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  readonly recorder: Recorder;
  readonly guilds: readonly string[];
  readonly processes: number;
  readonly random: Random;
}

/** Starts writers and readers, each with choices of its own. */
export function startLoad({ recorder, guilds, processes, random }: LoadOptions): Load {
  const stopping = new AbortController();
  const { signal } = stopping;
  const route = (own: Random) => ({
    door: own.chance(0.6) ? ('rest' as const) : ('trpc' as const),
    process: own.between(0, processes - 1),
  });
  const write = async (name: number, own: Random) => {
    for (let count = 0; !signal.aborted; count++) {
      const guild = own.pick(guilds);
      const ifMatch = own.chance(0.4) && recorder.newest(guild);
      const question = { guild, mark: `w${name}-${count}`, ...(ifMatch !== false && { ifMatch }) };
      const { outcome } = await recorder.ask(route(own), question);
      const isAsHoped = outcome.kind === 'ok' || (outcome.kind === 'refused' && outcome.why === 'revision-mismatch');
      if (!isAsHoped) await delay(REST);
    }
  };
  const read = async (own: Random) => {
    while (!signal.aborted) {
      await recorder.ask(route(own), { guild: own.pick(guilds) });
      await delay(READER_REST);
    }
  };
  const running = [
    ...Array.from({ length: WRITERS }, (_, name) => write(name, random.fork())),
    ...Array.from({ length: READERS }, () => read(random.fork())),
  ];
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
