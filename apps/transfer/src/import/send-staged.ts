import type { Importer } from '../service/importer.ts';
import { Difference } from './difference.ts';
import type { RefusalFile } from './refusals.ts';
import type { BatchLimits, StagedGuild, Staging } from './staging.ts';

/** Options of {@link sendStaged}. */
export interface SendStagedOptions {
  readonly staging: Staging;
  /** The guilds to send: all, or those that a dry run has found to differ. */
  readonly state: 'unknown' | 'differs';
  readonly dryRun: boolean;
  readonly importer: Importer;
  readonly limits: BatchLimits;
  readonly refusals: RefusalFile;
  /** Called with the number of guilds that are done. */
  readonly onProgress: (done: number) => void;
  readonly signal: AbortSignal;
}

/** Calls in flight: the service works on one while the response to the other is read. */
const CONCURRENT_CALLS = 2;

/**
 * Sends guilds to the service. A guild that the service refuses is written to the refusals.
 * @throws the error of a call, or the reason of the signal, when no call is in flight any more
 */
export async function sendStaged(options: SendStagedOptions): Promise<Difference> {
  const { staging, state, limits, onProgress, signal } = options;
  const difference = new Difference();
  let done = 0;
  // Both workers take their batches from one generator, which ends when one of them fails.
  const batches = staging.batches(state, limits);
  const work = async () => {
    for (const batch of batches) {
      signal.throwIfAborted();
      await sendBatch(batch, difference, options);
      done += batch.length;
      onProgress(done);
    }
  };
  const results = await Promise.allSettled(Array.from({ length: CONCURRENT_CALLS }, work));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return difference;
}

async function sendBatch(
  batch: readonly StagedGuild[],
  difference: Difference,
  { staging, dryRun, importer, refusals }: SendStagedOptions,
): Promise<void> {
  const outcomes = await importer.send(batch, dryRun);
  for (const [index, { guild, settings, place }] of batch.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) throw new Error(`Expected the outcome of guild ${guild}`);
    if ('problem' in outcome) {
      refusals.add({ place, guild, reason: outcome.problem, value: settings });
    } else {
      difference.add(guild, settings, outcome.changes);
      if (dryRun && Object.keys(outcome.changes).length > 0) staging.markDifferent(guild);
    }
  }
}
