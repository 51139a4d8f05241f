/** How long stopping may take before the process ends anyway, in milliseconds. */
const END_TIME = 9_000;

/** Aborts on SIGTERM or SIGINT. Another signal meanwhile changes nothing. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) return;
    controller.abort();
    setTimeout(() => process.exit(1), END_TIME).unref();
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  return controller.signal;
}
