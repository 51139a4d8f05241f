/**
 * Returns a function that resolves when a piece of work may begin: one in each turn of the event loop, in the order of the calls, so that
 * other requests have theirs.
 */
export function createTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => void setImmediate(resolve)));
    return last;
  };
}
