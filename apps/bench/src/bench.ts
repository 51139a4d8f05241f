import { ResourceStack, temporaryFolder } from '@guild-settings/testing';
import type { BenchProfile } from './context.ts';
import { judge, type Result, type Row } from './row.ts';

export interface BenchOptions {
  readonly rows: readonly Row[];
  readonly profile: BenchProfile;
  readonly signal?: AbortSignal;
  readonly onProgress?: (line: string) => void;
  /** Called for a row that could not be measured. Unless given, such a row ends the run. */
  readonly onFailure?: (row: Row, error: unknown) => void;
}

/**
 * Measures the rows one after another, each with its own servers and files.
 * @throws the signal's reason when it is aborted, after everything was stopped and deleted
 */
export async function bench({ rows, onFailure, ...options }: BenchOptions): Promise<Result[]> {
  const results: Result[] = [];
  for (const row of rows) {
    options.signal?.throwIfAborted();
    try {
      results.push(await measureRow(row, options));
    } catch (error) {
      options.signal?.throwIfAborted();
      if (onFailure === undefined) throw error;
      onFailure(row, error);
    }
  }
  return results;
}

async function measureRow(row: Row, options: Omit<BenchOptions, 'rows' | 'onFailure'>): Promise<Result> {
  const { profile, signal, onProgress } = options;
  using folder = temporaryFolder();
  await using resources = new ResourceStack(signal);
  const progress = (line: string) => {
    signal?.throwIfAborted();
    onProgress?.(`${row.id}: ${line}`);
  };
  return judge(row, await row.measure({ profile, folder: folder.path, resources, progress }));
}
