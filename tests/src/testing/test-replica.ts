import { type TokenSource, type WatchedEvent, watch } from '@guild-settings/client';
import type { Cursor, Guild, Shard, WatchEvent } from '@guild-settings/contract';
import { waitUntil } from '@guild-settings/testing';

export interface ReplicaOptions {
  readonly url: string;
  readonly token: string | TokenSource;
  readonly cursor?: Cursor | undefined;
  readonly shard?: Shard;
  readonly silenceTimeoutMs?: number;
}

/** A minimal replica in a Map, which records violations of the guarantees. */
export class TestReplica implements AsyncDisposable {
  readonly records = new Map<string, { readonly revision: number; readonly guild: Guild }>();
  readonly events: WatchEvent[] = [];
  readonly disconnects: unknown[] = [];
  readonly violations: string[] = [];
  cursor: Cursor | undefined;
  #aborter = new AbortController();
  #done: Promise<void> = Promise.resolve();

  /** Starts watching from a cursor, by default its last one. */
  start(options: ReplicaOptions): void {
    this.#aborter = new AbortController();
    const { signal } = this.#aborter;
    this.cursor = options.cursor ?? this.cursor;
    const onDisconnect = (error: unknown) => this.disconnects.push(error);
    this.#done = this.#follow(watch({ ...options, cursor: this.cursor, signal, onDisconnect }));
  }

  async stop(): Promise<void> {
    this.#aborter.abort();
    await this.#done;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  count(type: WatchEvent['type']): number {
    return this.events.filter((event) => event.type === type).length;
  }

  async reaches(revision: number): Promise<void> {
    await waitUntil(() => (this.cursor?.revision ?? -1) >= revision, {
      message: `a replica at ${this.cursor?.revision} to reach ${revision}`,
    });
  }

  async #follow(watched: AsyncIterable<WatchedEvent>): Promise<void> {
    for await (const { cursor, event } of watched) {
      const guilds = event.type === 'guilds' ? event.guilds : event.type === 'guild' ? [event] : [];
      const isReset = event.type === 'reset';
      const isChange = guilds.length > 0 || event.type === 'removed';
      const before = this.cursor?.revision ?? -1;
      guilds.reduce((last, { revision }) => {
        if (revision <= last) this.violations.push(`guild ${revision} after ${last}`);
        return revision;
      }, before);
      if (isChange && cursor.revision <= before)
        this.violations.push(`${event.type} ${cursor.revision} after ${before}`);
      if (!isReset && cursor.revision < before) this.violations.push(`went back from ${before} to ${cursor.revision}`);
      this.events.push(event);
      this.cursor = cursor;
      if (event.type === 'reset') this.records.clear();
      else if (event.type === 'removed') this.records.delete(event.guild);
      for (const { revision, guild } of guilds) this.records.set(guild.id, { revision, guild });
    }
  }
}
