import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ResourceStack } from '@guild-settings/testing';
import type { Effort } from './lab.ts';
import { judge, type Result, type Row } from './row.ts';

export interface BenchOptions {
  readonly rows: readonly Row[];
  readonly effort: Effort;
  /** Which part of each goal has to be reached: 1 for the goal itself. */
  readonly part?: number;
  /** Stops everything that was started. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (line: string) => void;
  /** Hears of a row that could not be measured; the others go on. Without it that ends the run. */
  readonly onFailure?: (row: Row, error: unknown) => void;
}

/**
 * Measures the rows one after another, each with servers and files of its own.
 * @throws the signal's reason when it is aborted, after the servers and files are gone
 */
export async function bench({ rows, onFailure, ...options }: BenchOptions): Promise<Result[]> {
  const results: Result[] = [];
  for (const row of rows) {
    options.signal?.throwIfAborted();
    try {
      results.push(await measured(row, options));
    } catch (error) {
      options.signal?.throwIfAborted();
      if (onFailure === undefined) throw error;
      onFailure(row, error);
    }
  }
  return results;
}

async function measured(row: Row, options: Omit<BenchOptions, 'rows' | 'onFailure'>): Promise<Result> {
  const { effort, part, signal, onProgress } = options;
  const folder = await mkdtemp(join(tmpdir(), 'guild-settings-bench-'));
  try {
    await using cleanUp = new ResourceStack(signal);
    const progress = (line: string) => {
      signal?.throwIfAborted();
      onProgress?.(`${row.id}: ${line}`);
    };
    return judge(row, await row.measure({ effort, folder, cleanUp, progress }), part);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
