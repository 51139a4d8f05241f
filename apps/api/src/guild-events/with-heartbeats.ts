/** A step of a stream: an event, or only a newer id from which a client may resume. */
export interface Step<Event> {
  readonly id: string;
  readonly event?: Event;
}

/**
 * Yields the events of a stream, and a heartbeat after each interval without one. The timer is independent of what the
 * next event waits for: the feed, the store, or Discord.
 * @param id the id of the heartbeats before the first step
 * @param heartbeat the interval in milliseconds, and a function that returns the event; its id is that of the last step
 */
export async function* withHeartbeats<Event>(
  steps: AsyncIterator<Step<Event>, void>,
  id: string,
  heartbeat: { readonly afterMs: number; readonly event: () => Event },
): AsyncGenerator<Required<Step<Event>>, void> {
  let lastId = id;
  let onDue = () => {};
  const timer = setTimeout(() => onDue(), heartbeat.afterMs);
  try {
    let next = steps.next();
    for (;;) {
      const due = new Promise<undefined>((resolve) => {
        onDue = () => resolve(undefined);
      });
      const step = await Promise.race([next, due]);
      if (step?.done) return;
      lastId = step?.value.id ?? lastId;
      const event = step === undefined ? heartbeat.event() : step.value.event;
      if (event !== undefined) {
        yield { id: lastId, event };
        timer.refresh();
      }
      if (step !== undefined) next = steps.next();
    }
  } finally {
    clearTimeout(timer);
  }
}
