import { setTimeout as delay } from 'node:timers/promises';
import type { Seen } from '../history.ts';
import type { OperationInput } from './clients.ts';
import type { Recorder } from './recorder.ts';

const MAX_TRIES = 30;
let tries = 0;

export interface WriteTarget {
  readonly process: number;
  readonly guild: string;
  /** The prefix of the mark; each try has its own suffix. */
  readonly mark: string;
}

/** Reads a guild over REST, and returns its record. Retries as {@link retryWrite} does. */
export async function retryRead(recorder: Recorder, { process, guild }: Omit<WriteTarget, 'mark'>): Promise<Seen> {
  return retried(recorder, process, () => ({ guild }));
}

/** Erases a guild at any revision. Retries as {@link retryWrite} does. */
export async function retryErase(recorder: Recorder, { process, guild }: Omit<WriteTarget, 'mark'>): Promise<void> {
  await retried(recorder, process, () => ({ guild, erase: true }));
}

/**
 * Changes a guild over REST and returns the revision of the change. Retries: the first requests may meet closed connections.
 * @throws Error when the service keeps refusing
 */
export async function retryWrite(recorder: Recorder, { process, guild, mark }: WriteTarget): Promise<number> {
  const { revision } = await retried(recorder, process, () => ({ guild, mark: `${mark}-${++tries}` }));
  return revision;
}

async function retried(recorder: Recorder, process: number, next: () => OperationInput): Promise<Seen> {
  let last = '';
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const { outcome } = await recorder.run({ transport: 'rest', process }, next());
    if (outcome.kind === 'ok') return outcome.seen;
    last = outcome.why;
    await delay(200);
  }
  throw new Error(`Process ${process} refuses requests though no fault is active: ${last}`);
}
