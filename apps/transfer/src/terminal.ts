import { createInterface } from 'node:readline/promises';
import { Presets, SingleBar } from 'cli-progress';

export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks for confirmation on the terminal. Only `y` and `yes` confirm. @throws the reason of the signal */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  return /^y(es)?$/i.test(await ask(`${question} [y/N] `, signal));
}

/**
 * Asks on the terminal. The answer is empty if the terminal is closed.
 * @throws the reason of the signal
 */
export async function ask(question: string, signal: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // While a terminal is being read, Ctrl-C is a character.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    const answer = await Promise.race([terminal.question(question, { signal }), closed]);
    return answer.trim();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    terminal.close();
  }
}

export interface Progress extends Disposable {
  update(done: number): void;
}

const LINE_INTERVAL_MS = 5_000;

/** Shows progress on standard error: as a bar on a terminal, otherwise as a line every few seconds. */
export function showProgress(what: string, total: number): Progress {
  if (!process.stderr.isTTY) return showLines((done) => `${what} ${done} of ${total}`);
  const shown = new SingleBar(
    { format: `${what} {bar} {percentage} % | {value} of {total} | {eta_formatted} left`, stream: process.stderr },
    Presets.rect,
  );
  shown.start(total, 0);
  return { update: (done) => shown.update(done), [Symbol.dispose]: () => shown.stop() };
}

/** Shows progress on standard error as a line every few seconds. */
export function showLines(lineOf: (done: number) => string): Progress {
  let nextAtMs = performance.now() + LINE_INTERVAL_MS;
  return {
    update(done) {
      if (performance.now() < nextAtMs) return;
      nextAtMs = performance.now() + LINE_INTERVAL_MS;
      process.stderr.write(`${lineOf(done)}\n`);
    },
    [Symbol.dispose]: () => {},
  };
}

/** Returns a text from a file in one line, without terminal control characters. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}
