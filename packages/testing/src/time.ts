import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from './files.ts';

export interface WaitOptions {
  /** The awaited condition, for the error message; the condition's source text unless given. */
  readonly message?: string;
  /** Real milliseconds, even while a test fakes timers; three minutes unless given, for conditions that never hold. */
  readonly timeoutMs?: number;
  /** Time between two checks; unless given, 3 ms at first and later a tenth of the elapsed time, up to 50 ms. */
  readonly intervalMs?: number;
}

const MIN_INTERVAL_MS = 3;
const MAX_INTERVAL_MS = 50;

/** A check may be a request: hundreds of them per second would use the CPU time that the awaited work needs. */
function growingInterval(passedMs: number): number {
  return Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, passedMs / 10));
}

/**
 * Polls a condition until it holds.
 * @throws Error when the condition does not hold within the timeout
 */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { message = String(condition), timeoutMs = 180_000, intervalMs }: WaitOptions = {},
): Promise<void> {
  const startedAt = performance.now();
  while (!(await condition())) {
    const passedMs = performance.now() - startedAt;
    if (passedMs > timeoutMs) throw new Error(`Expected within ${timeoutMs} ms: ${message}`);
    // Not the global function, which a test may have replaced by a fake.
    await delay(intervalMs ?? growingInterval(passedMs));
  }
}

/** The wall clock of one Node process, which a test steps while the process runs. */
export interface SteppedClock extends Disposable {
  /** Arguments for Node before the program's file; joined by a space, a value for NODE_OPTIONS. */
  readonly nodeArguments: readonly string[];
  /** Sets the offset in milliseconds: from the next start on, and at once in the process with this id. */
  step(offsetMs: number, pid?: number): void;
}

/**
 * Prepares a clock. A module that Node loads before the program replaces `Date`, with an offset from a file, which it
 * reads at the start and at SIGUSR2; it then prints `clock` and the offset. Timers and `performance.now()` keep
 * running, as when an operator sets the machine's clock.
 */
export function steppedClock(): SteppedClock {
  const folder = temporaryFolder();
  const path = folder.file('offset');
  writeFileSync(path, '0');
  const module = `
    import { readFileSync } from 'node:fs';
    const System = Date;
    const read = () => Number(readFileSync(${JSON.stringify(path)}, 'utf8'));
    let offset = read();
    process.on('SIGUSR2', () => { offset = read(); console.log('clock ' + offset); });
    globalThis.Date = class Date extends System {
      constructor(...parts) { if (parts.length === 0) super(System.now() + offset); else super(...parts); }
      static now() { return System.now() + offset; }
    };`;
  return {
    nodeArguments: ['--import', `data:text/javascript,${encodeURIComponent(module)}`],
    step(offsetMs, pid) {
      writeFileSync(path, String(offsetMs));
      if (pid !== undefined) process.kill(pid, 'SIGUSR2');
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** Measures the CPU time that this process spends on some work, in milliseconds, on all of its threads. */
async function cpuTimeMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * Measures the least CPU time of several attempts, in milliseconds: excludes other processes and garbage collections.
 * @param enoughMs stops after an attempt that takes less than this
 */
export function minCpuTimeMs(tries: number, enoughMs: number, work: () => Promise<unknown>): Promise<number> {
  return minOf(tries, enoughMs, () => cpuTimeMs(work));
}

/**
 * Measures the least time of several attempts of waiting work, in milliseconds. Excludes times when the machine is slow
 * or busy.
 * @param enoughMs stops after an attempt that takes less than this
 */
export function minTimeMs(
  tries: number,
  enoughMs: number,
  work: (attempt: number) => Promise<unknown>,
): Promise<number> {
  return minOf(tries, enoughMs, async (attempt) => {
    const startedAt = performance.now();
    await work(attempt);
    return performance.now() - startedAt;
  });
}

async function minOf(tries: number, enoughMs: number, measure: (attempt: number) => Promise<number>): Promise<number> {
  let min = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < tries && min >= enoughMs; attempt += 1) min = Math.min(min, await measure(attempt));
  return min;
}

/**
 * Returns the rejection reason of a promise.
 * @throws Error when it is fulfilled
 */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('Expected a rejected promise, received a fulfilled one');
}
