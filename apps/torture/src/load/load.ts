import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Recorder } from './recorder.ts';

const WRITERS = 16;
const READERS = 4;

/** The pause of a writer after a failed request, and of a reader after every request. */
const WRITER_PAUSE_MS = 50;
const READER_PAUSE_MS = 4;

/** Readers and writers that run while faults are injected. */
export interface Load {
  /** Stops the load; resolves when no request is pending. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  readonly recorder: Recorder;
  readonly guilds: readonly string[];
  readonly processes: number;
  readonly random: Random;
}

/** Starts writers and readers, each with its own random choices. */
export function startLoad({ recorder, guilds, processes, random }: LoadOptions): Load {
  const stopping = new AbortController();
  const { signal } = stopping;
  const route = (own: Random) => ({
    transport: own.chance(0.6) ? ('rest' as const) : ('trpc' as const),
    process: own.between(0, processes - 1),
  });
  const write = async (name: number, own: Random) => {
    for (let count = 0; !signal.aborted; count++) {
      const guild = own.pick(guilds);
      const ifMatch = own.chance(0.4) && recorder.newest(guild);
      const input = { guild, mark: `w${name}-${count}`, ...(ifMatch !== false && { ifMatch }) };
      const { outcome } = await recorder.run(route(own), input);
      const isExpected = outcome.kind === 'ok' || (outcome.kind === 'refused' && outcome.why === 'revision-mismatch');
      if (!isExpected) await delay(WRITER_PAUSE_MS);
    }
  };
  const read = async (own: Random) => {
    while (!signal.aborted) {
      await recorder.run(route(own), { guild: own.pick(guilds) });
      await delay(READER_PAUSE_MS);
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
