import { setTimeout as delay } from 'node:timers/promises';
import type { Recorder } from './recorder.ts';

const MAX_TRIES = 30;
let tries = 0;

export interface WriteTarget {
  readonly process: number;
  readonly guild: string;
  /** The prefix of the mark; each try has its own suffix. */
  readonly mark: string;
}

/**
 * Changes a guild over REST and returns the revision of the change. Retries: the first requests may meet closed connections.
 * @throws Error when the service keeps refusing
 */
export async function retryWrite(recorder: Recorder, { process, guild, mark }: WriteTarget): Promise<number> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    tries += 1;
    const { outcome } = await recorder.run({ transport: 'rest', process }, { guild, mark: `${mark}-${tries}` });
    if (outcome.kind === 'ok') return outcome.seen.revision;
    await delay(200);
  }
  throw new Error(`Process ${process} refuses changes though no fault is active`);
}
