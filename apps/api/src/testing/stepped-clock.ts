import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The wall clock of a live process, which a test steps. */
export interface SteppedClock extends Disposable {
  /** For the environment of the process. */
  readonly nodeOptions: string;
  /** Steps the process's wall clock to so many milliseconds from the machine's, at once. */
  step(pid: number, offsetMs: number): void;
}

/**
 * Prepares a clock for one process: a module that Node loads before the program replaces `Date`, and reads the offset
 * anew at SIGUSR2. Timers and `performance.now()` stay as they are, as when an operator sets the machine's clock.
 */
export function steppedClock(): SteppedClock {
  const folder = mkdtempSync(join(tmpdir(), 'stepped-clock-'));
  const path = join(folder, 'offset');
  writeFileSync(path, '0');
  const module = `
    import { readFileSync } from 'node:fs';
    const System = Date;
    let offset = 0;
    globalThis.Date = class Date extends System {
      constructor(...parts) { if (parts.length === 0) super(System.now() + offset); else super(...parts); }
      static now() { return System.now() + offset; }
    };
    process.on('SIGUSR2', () => { offset = Number(readFileSync(${JSON.stringify(path)}, 'utf8')); });`;
  return {
    nodeOptions: `--import data:text/javascript,${encodeURIComponent(module)}`,
    step(pid, offsetMs) {
      writeFileSync(path, String(offsetMs));
      process.kill(pid, 'SIGUSR2');
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
