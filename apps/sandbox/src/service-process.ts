import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAINS = {
  api: fileURLToPath(new URL('../../api/dist/main.js', import.meta.url)),
  bot: fileURLToPath(new URL('../../bot/dist/main.js', import.meta.url)),
};

/** The built api or bot as a process, killed at the end of its scope. */
export interface ServiceProcess extends AsyncDisposable {
  /** What it wrote to standard output and error. */
  readonly output: () => string;
  /** Resolves with what a pattern finds in the output, and rejects when the process ends without it. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal that the process handles and goes on. */
  signal(signal: NodeJS.Signals): void;
  /** Sends a signal and waits for the end; the exit code, null after a signal that was not handled. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Runs a built part, without any variable of this process's that it would read.
 * @param nodeOptions arguments of Node's own, such as `--import`
 */
export function runService(
  part: keyof typeof MAINS,
  env: NodeJS.ProcessEnv,
  nodeOptions: readonly string[] = [],
): ServiceProcess {
  const child = spawn(process.execPath, [...nodeOptions, MAINS[part]], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const exited = once(child, 'close').then(() => child.exitCode);
  const end = async (signal: NodeJS.Signals) => {
    if (isRunning(child)) child.kill(signal);
    return exited;
  };
  return {
    output: () => output,
    end,
    signal: (signal) => void child.kill(signal),
    async printed(pattern) {
      for (;;) {
        const found = pattern.exec(output);
        if (found) return found;
        const more = Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]).then(() => true);
        const goesOn = await Promise.race([more, exited.then(() => false)]);
        if (!goesOn && !pattern.test(output)) throw new Error(`The ${part} ended without ${pattern}:\n${output}`);
      }
    },
    async [Symbol.asyncDispose]() {
      await end('SIGKILL');
    },
  };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** Waits until the api listens, and gives its address. */
export async function apiAddress(api: ServiceProcess): Promise<string> {
  return (await api.printed(/listening at (http:\/\/[^"]+)"/))[1] ?? '';
}

/** Waits until the bot is connected, and gives the address of its health. */
export async function botAddress(bot: ServiceProcess): Promise<string> {
  return (await bot.printed(/"health":"(http:\/\/[^"]+)","msg":"the bot is connected"/))[1] ?? '';
}
