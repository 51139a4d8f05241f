import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The wall clock of one process, which the harness steps while the process runs. */
export interface SteppedClock {
  /** Arguments for Node, before the program's file. */
  readonly nodeArguments: readonly string[];
  /** Sets how far the clock is off, in milliseconds: from the next start on, and at once in a process with this id. */
  step(offsetMs: number, pid: number | undefined): void;
}

/**
 * Prepares a clock: a module that Node loads before the program replaces `Date`, by the offset in a file, which it reads at the
 * start and at SIGUSR2. Timers and `performance.now()` stay as they are, as when an operator sets a machine's clock.
 */
export function steppedClock(folder: string, name: string): SteppedClock {
  const path = join(folder, `${name}.clock-offset`);
  writeFileSync(path, '0');
  const module = `
    import { readFileSync } from 'node:fs';
    const System = Date;
    const read = () => Number(readFileSync(${JSON.stringify(path)}, 'utf8'));
    let offset = read();
    process.on('SIGUSR2', () => { offset = read(); });
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
  };
}
