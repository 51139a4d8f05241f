import { createInterface } from 'node:readline/promises';

export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks on the terminal whether to do something. Only `y` and `yes` confirm. @throws the reason of the signal */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  return /^y(es)?$/i.test(await ask(`${question} [y/N] `, signal));
}

/**
 * Asks on the terminal. The answer is empty when the terminal is closed.
 * @throws the reason of the signal
 */
export async function ask(question: string, signal: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // On a terminal that is being read, Ctrl-C is a character.
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
