import { Presets, SingleBar } from 'cli-progress';

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
