import { setTimeout as delay } from 'node:timers/promises';
import type { Recorder } from './recorder.ts';

const TRIES = 30;
let asked = 0;

export interface Insistence {
  readonly process: number;
  readonly guild: string;
  /** What the marks begin with: each try has one of its own. */
  readonly mark: string;
}

/**
 * Changes a guild and tries again, for the first calls may meet connections that have died. The revision of the change.
 * @throws Error when the service goes on refusing
 */
export async function insist(recorder: Recorder, { process, guild, mark }: Insistence): Promise<number> {
  for (let turn = 0; turn < TRIES; turn++) {
    asked += 1;
    const { outcome } = await recorder.ask({ door: 'rest', process }, { guild, mark: `${mark}-${asked}` });
    if (outcome.kind === 'ok') return outcome.seen.revision;
    await delay(200);
  }
  throw new Error(`Process ${process} does not take a change though all is well`);
}
