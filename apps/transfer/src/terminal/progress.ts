import { Presets, SingleBar } from 'cli-progress';

/** The progress of some work. */
export interface Progress extends Disposable {
  update(done: number): void;
}

/** The time between two lines, where there is no terminal. */
const LINE_INTERVAL_MS = 5_000;

/** Shows progress on standard error: as a bar on a terminal, otherwise as a line every few seconds. */
export function showProgress(what: string, total: number): Progress {
  return process.stderr.isTTY ? bar(what, total) : lines(what, total);
}

function bar(what: string, total: number): Progress {
  const shown = new SingleBar(
    { format: `${what} {bar} {percentage} % | {value} of {total} | {eta_formatted} left`, stream: process.stderr },
    Presets.rect,
  );
  shown.start(total, 0);
  return { update: (done) => shown.update(done), [Symbol.dispose]: () => shown.stop() };
}

function lines(what: string, total: number): Progress {
  let nextAtMs = performance.now() + LINE_INTERVAL_MS;
  const print = (done: number) => process.stderr.write(`${what} ${done} of ${total}\n`);
  return {
    update(done) {
      if (performance.now() < nextAtMs) return;
      nextAtMs = performance.now() + LINE_INTERVAL_MS;
      print(done);
    },
    [Symbol.dispose]: () => {},
  };
}
