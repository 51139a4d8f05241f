import { type Guild, parseCursor } from '@guild-settings/contract';
import { waitUntil } from '@guild-settings/testing';
import { openWatch, type RawWatch } from './event-stream.ts';

/** The records that a watcher has, with their revisions. */
export class WatchedRecords {
  readonly records = new Map<string, { readonly revision: number; readonly guild: Guild }>();
  #watch: RawWatch | undefined;
  #applied = 0;
  #lastId: string | undefined;

  /** Starts to watch, after the last event that it has received. */
  async open(url: string, token: string): Promise<void> {
    const cursor = this.#lastId === undefined ? undefined : parseCursor(this.#lastId);
    this.#applied = 0;
    this.#watch = await openWatch(url, token, { ...(cursor && { cursor }) });
  }

  close(): void {
    this.#apply();
    this.#watch?.close();
  }

  /** Resolves when it has received everything up to a revision. */
  async reach(revision: number): Promise<void> {
    const isReached = () => {
      this.#apply();
      return (parseCursor(this.#lastId ?? '')?.revision ?? -1) >= revision;
    };
    await waitUntil(isReached, { message: `the watcher at ${this.#lastId} to reach ${revision}` });
  }

  #apply(): void {
    const { events = [], ids = [] } = this.#watch ?? {};
    for (const event of events.slice(this.#applied)) {
      if (event.type === 'reset') this.records.clear();
      else if (event.type === 'removed') this.records.delete(event.guild);
      const changed = event.type === 'guild' ? [event] : event.type === 'guilds' ? event.guilds : [];
      for (const { revision, guild } of changed) this.records.set(guild.id, { revision, guild });
    }
    this.#applied = events.length;
    this.#lastId = ids.at(-1) ?? this.#lastId;
  }
}
