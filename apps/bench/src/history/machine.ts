import { execFile } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Machine } from './run.ts';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));

/** Describes this machine and the commit under test. */
export async function thisMachine(): Promise<Machine> {
  return {
    node: process.version,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    commit: await commit(),
  };
}

/** Paths whose changes affect a measurement. */
const MEASURED = ['.', ':!apps/bench/history', ':!docs'];

async function commit(): Promise<string | null> {
  try {
    const head = await git('rev-parse', '--short=10', 'HEAD');
    const changes = await git('status', '--porcelain', '--untracked-files=no', '--', ...MEASURED);
    return changes === '' ? head : `${head}-dirty`;
  } catch {
    return null;
  }
}

async function git(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: REPOSITORY, timeout: 10_000 });
  return stdout.trim();
}

/** Formats a machine and a commit as text. */
export function describeMachine({ node, cpu, cores, commit }: Machine): string {
  return `Node ${node} on ${cpu}, ${cores} ${cores === 1 ? 'core' : 'cores'}${commit === null ? '' : `, at ${commit}`}`;
}
