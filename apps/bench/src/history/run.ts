import { z } from 'zod';
import type { Result } from '../row.ts';

/** Infinity and NaN are null in JSON. */
const measured = z.number().nullable();

const result = z.object({
  id: z.string(),
  unit: z.string(),
  ours: measured,
  peers: z.record(z.string(), measured),
  ratio: measured,
  spread: z.object({ from: measured, to: measured }).optional(),
  cpu: z.object({ ours: measured, peers: z.record(z.string(), measured) }).optional(),
  target: z.string(),
  met: z.boolean(),
  curve: z.array(z.object({ name: z.string(), size: z.number(), value: measured })).optional(),
  axes: z.object({ size: z.string(), value: z.string() }).optional(),
  notes: z.array(z.string()).optional(),
});

const fields = z.object({
  date: z.iso.datetime(),
  node: z.string(),
  cpu: z.string(),
  cores: z.number(),
  /** The commit, with `-dirty` after local changes; null outside a git checkout. */
  commit: z.string().nullable(),
  profile: z.enum(['full', 'quick']),
  results: z.array(result),
});

/** A run in the history. Old lines have `effort` for `profile`. */
export const run = z.preprocess(
  (line) => (typeof line === 'object' && line !== null && 'effort' in line ? { ...line, profile: line.effort } : line),
  fields,
);

export type Run = z.infer<typeof fields>;
export type KeptResult = z.infer<typeof result>;
export type Machine = Pick<Run, 'node' | 'cpu' | 'cores' | 'commit'>;

/** Returns a result as it is stored. */
export function kept({ what: _, ...result }: Result): KeptResult {
  return JSON.parse(JSON.stringify(result)) as KeptResult;
}

/** The last result of a row, with its run. */
export interface LastResult {
  readonly run: Run;
  readonly result: KeptResult;
}

/** Finds the last result of a row. */
export function lastResult(runs: readonly Run[], id: string): LastResult | undefined {
  for (const run of runs.toReversed()) {
    const result = run.results.find((one) => one.id === id);
    if (result !== undefined) return { run, result };
  }
  return undefined;
}
