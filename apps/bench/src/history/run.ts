import { z } from 'zod';
import type { Result } from '../row.ts';

/** A number that JSON knows no word for, such as a ratio to nothing, is null in it. */
const measured = z.number().nullable();

const result = z.object({
  id: z.string(),
  unit: z.string(),
  ours: measured,
  peers: z.record(z.string(), measured),
  ratio: measured,
  target: z.string(),
  met: z.boolean(),
  curve: z.array(z.object({ name: z.string(), size: z.number(), value: measured })).optional(),
  axes: z.object({ size: z.string(), value: z.string() }).optional(),
  notes: z.array(z.string()).optional(),
});

/** A run as the history keeps it. */
export const run = z.object({
  date: z.iso.datetime(),
  node: z.string(),
  cpu: z.string(),
  cores: z.number(),
  /** What was measured, with `-dirty` where it was changed since; null where git does not know. */
  commit: z.string().nullable(),
  effort: z.enum(['full', 'quick']),
  results: z.array(result),
});

export type Run = z.infer<typeof run>;
export type KeptResult = z.infer<typeof result>;
export type Machine = Pick<Run, 'node' | 'cpu' | 'cores' | 'commit'>;

/** A result as it is written. */
export function kept({ what: _, ...result }: Result): KeptResult {
  return JSON.parse(JSON.stringify(result)) as KeptResult;
}

/** The last result of a row, and the run that it is of. */
export interface LastResult {
  readonly run: Run;
  readonly result: KeptResult;
}

/** The last result of a row in some runs. */
export function lastResult(runs: readonly Run[], id: string): LastResult | undefined {
  for (const run of runs.toReversed()) {
    const result = run.results.find((one) => one.id === id);
    if (result !== undefined) return { run, result };
  }
  return undefined;
}
