/** Calls a callback of the bot. An error that it throws becomes a warning of the process: the replica continues. */
export function notify<Value>(callback: ((value: Value) => void) | undefined, value: Value): void {
  try {
    callback?.(value);
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}
