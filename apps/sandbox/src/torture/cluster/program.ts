import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ProgramOptions {
  readonly file: string;
  readonly args?: readonly string[];
  /** All that it sees of the environment, beside PATH. */
  readonly env?: NodeJS.ProcessEnv;
  /** Whose process it is to be, where that may be chosen. */
  readonly uid?: number | undefined;
}

/** A process of the harness. */
export interface Program {
  readonly pid: number;
  /** The end of what it wrote to standard output and error. */
  output(): string;
  isRunning(): boolean;
  /** Whether somebody here ended it. */
  wasEnded(): boolean;
  /** Resolves with true once the output has a pattern, with false when the process ends or the time is over without it. */
  printed(pattern: RegExp, milliseconds: number): Promise<boolean>;
  signal(signal: NodeJS.Signals): void;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<void>;
  readonly ended: Promise<void>;
}

const KEPT = 20_000;

/** Starts a process. */
export function start({ file, args = [], env = {}, uid }: ProgramOptions): Program {
  const identity = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn(file, args, {
    ...identity,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let wasEnded = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-KEPT);
      child.emit('printed');
    });
  }
  const ended = once(child, 'close').then(
    () => {},
    () => {},
  );
  const signal = (name: NodeJS.Signals) => {
    if (isRunning(child)) child.kill(name);
  };
  return {
    pid: child.pid ?? -1,
    output: () => output,
    isRunning: () => isRunning(child),
    wasEnded: () => wasEnded,
    signal,
    ended,
    async printed(pattern, milliseconds) {
      const late = AbortSignal.timeout(Math.ceil(milliseconds));
      while (!pattern.test(output)) {
        if (late.aborted || !isRunning(child)) return pattern.test(output);
        const more = once(child, 'printed', { signal: late }).catch(() => {});
        await Promise.race([more, ended]);
      }
      return true;
    },
    async end(name) {
      wasEnded = true;
      // A stopped process hears of nothing else.
      if (name !== 'SIGKILL') signal('SIGCONT');
      signal(name);
      await ended;
    },
  };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}
