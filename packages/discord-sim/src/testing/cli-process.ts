import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** Starts the built command; it is killed at the end of the scope. */
export function startCli(...args: readonly string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const exited = once(child, 'close').then(() => ({ ...output, code: child.exitCode }));
  /** Resolves with standard output once it ends with a newline; rejects when the process ends before. */
  const report = async (): Promise<string> => {
    const ended = exited.then(({ stderr }) => Promise.reject(new Error(`The command has ended:\n${stderr}`)));
    while (!output.stdout.endsWith('\n')) await Promise.race([once(child.stdout, 'data'), ended]);
    ended.catch(() => undefined);
    return output.stdout;
  };
  const dispose = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return { child, exited, report, [Symbol.asyncDispose]: dispose };
}
