import { writeFileSync } from 'node:fs';
import { temporaryFolder } from './temporary-folder.ts';

/** The wall clock of one Node process, which a test steps while the process runs. */
export interface SteppedClock extends Disposable {
  /** Arguments for Node before the program's file; joined by a space, a value for NODE_OPTIONS. */
  readonly nodeArguments: readonly string[];
  /** Sets the offset in milliseconds: from the next start on, and at once in the process with this id. */
  step(offsetMs: number, pid?: number): void;
}

/**
 * Prepares a clock. A module that Node loads before the program replaces `Date` by the offset in a file, which it reads
 * at the start and at SIGUSR2; it then prints `clock` and the offset. Timers and `performance.now()` keep running, as when an
 * operator sets the machine's clock.
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
