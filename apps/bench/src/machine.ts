import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

export interface Machine {
  readonly description: string;
  /** The commit, with `-dirty` after local changes. */
  readonly commit: string;
}

export function thisMachine(): Machine {
  const cores = availableParallelism();
  const processor = cpus()[0]?.model.trim() ?? 'an unknown processor';
  return { description: `Node ${process.version} on ${processor}, ${cores} cores`, commit: commit() };
}

function commit(): string {
  const cwd = fileURLToPath(new URL('../../../', import.meta.url));
  try {
    return execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=10', '--exclude=*'], {
      cwd,
      encoding: 'utf8',
    }).trim();
  } catch {
    return 'an unknown commit';
  }
}
