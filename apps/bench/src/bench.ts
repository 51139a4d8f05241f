import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CleanUp } from './clean-up.ts';
import type { Effort } from './lab.ts';
import { judge, type Result, type Row } from './row.ts';

export interface BenchOptions {
  readonly rows: readonly Row[];
  readonly effort: Effort;
  /** Which part of each goal has to be reached: 1 for the goal itself. */
  readonly part?: number;
  readonly onProgress?: (line: string) => void;
}

/** Measures the rows one after another, each with servers and files of its own. */
export async function bench({ rows, effort, part, onProgress = () => {} }: BenchOptions): Promise<Result[]> {
  const results: Result[] = [];
  for (const row of rows) results.push(await measured(row, effort, part, onProgress));
  return results;
}

async function measured(
  row: Row,
  effort: Effort,
  part: number | undefined,
  onProgress: (line: string) => void,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'guild-settings-bench-'));
  try {
    await using cleanUp = new CleanUp();
    const progress = (line: string) => onProgress(`${row.id}: ${line}`);
    return judge(row, await row.measure({ effort, folder, cleanUp, progress }), part);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
