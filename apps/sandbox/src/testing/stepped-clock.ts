import { writeFile } from 'node:fs/promises';

/** A module that moves a process's system clock while it runs. */
export interface SteppedClock {
  /** Node's arguments that load it before anything else. */
  readonly nodeOptions: readonly string[];
  /** Sets how far the clock is off, in milliseconds, from the next SIGUSR2 on. */
  set(offsetMs: number): Promise<void>;
}

/** Writes the module into a folder. */
export async function steppedClock(folder: string): Promise<SteppedClock> {
  const [module, offset] = [`${folder}/stepped-clock.mjs`, `${folder}/clock-offset`];
  await writeFile(
    module,
    `import { readFileSync } from 'node:fs';
    const now = Date.now;
    const System = Date;
    let offset = 0;
    globalThis.Date = class extends System {
      constructor(...parts) { super(...(parts.length === 0 ? [now() + offset] : parts)); }
      static now() { return now() + offset; }
    };
    process.on('SIGUSR2', () => { offset = Number(readFileSync(${JSON.stringify(offset)}, 'utf8')); console.log('clock ' + offset); });`,
  );
  return { nodeOptions: ['--import', module], set: (offsetMs) => writeFile(offset, String(offsetMs)) };
}
