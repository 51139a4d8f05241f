import { readdir, readFile } from 'node:fs/promises';

/** Clock ticks of /proc in a second: 100 on every Linux system. */
const TICKS_PER_SECOND = 100;

const KILOBYTES_PER_MEGABYTE = 1_024;

/**
 * Returns the CPU time of processes in milliseconds, with all their threads and descendants.
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
export async function cpuMilliseconds(pids: readonly number[]): Promise<number> {
  const all = await processes();
  const ticks = [...withDescendants(pids, all)].map((pid) => all.get(pid)?.ticks ?? 0);
  return (ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND) * 1_000;
}

/**
 * Returns the resident memory of processes in megabytes, with all their descendants.
 * @see https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
 */
export async function residentMegabytes(pids: readonly number[]): Promise<number> {
  const sizes = [...withDescendants(pids, await processes())].map(async (pid) => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / KILOBYTES_PER_MEGABYTE;
  });
  return (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0);
}

interface ProcessUsage {
  readonly parent: number;
  readonly ticks: number;
}

async function processes(): Promise<ReadonlyMap<number, ProcessUsage>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = pids.map(async (pid) => {
    // A process may end meanwhile.
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    if (text === undefined) return [];
    // The name of the program is in parentheses, and may have spaces.
    const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(rest[9]) + Number(rest[10]);
    return [[Number(pid), { parent: Number(parent), ticks }] as const];
  });
  return new Map((await Promise.all(read)).flat());
}

function withDescendants(pids: readonly number[], all: ReadonlyMap<number, ProcessUsage>): Set<number> {
  const found = new Set(pids);
  // A child has been started after its parent, but its number may be lower.
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const [pid, { parent }] of all) if (found.has(parent)) found.add(pid);
  }
  return found;
}
