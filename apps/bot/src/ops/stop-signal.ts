/** Time after which the process exits even if it has not stopped. */
const STOP_TIMEOUT_MS = 9_000;

/** Returns a signal that aborts on SIGTERM or SIGINT. Further ones change nothing. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) return;
    controller.abort();
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  return controller.signal;
}
