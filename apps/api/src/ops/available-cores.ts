import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** The limits of a container's CPU time, on Linux. */
const CPU_MAX = '/sys/fs/cgroup/cpu.max';

/**
 * Returns the number of cores that this process may use, at least 1: Node counts those of the machine that it is bound to, and
 * does not read the CPU limit of a container.
 * @see https://docs.kernel.org/admin-guide/cgroup-v2.html#cpu-interface-files
 */
export function availableCores(cpuMaxFile = CPU_MAX): number {
  const [quota, period] = readOrEmpty(cpuMaxFile).split(' ').map(Number);
  const given = quota && period ? Math.floor(quota / period) : Number.POSITIVE_INFINITY;
  return Math.max(1, Math.min(availableParallelism(), given));
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
