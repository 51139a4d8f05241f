import { watch } from '@guild-settings/client';
import type { Cursor, WatchEvent, WatchedGuild } from '@guild-settings/contract';
import type { Seen, Watched } from '../history.ts';

/** Milliseconds of silence after which a connection is dead: a little more than between two bookmarks. */
const SILENCE = 6_000;

/** A replica of the service at one process, which notes what it ought never to be told. */
export interface Watcher extends Watched {
  readonly cursor: Cursor | undefined;
  /** Follows on from where it is. */
  start(): void;
  stop(): Promise<void>;
}

export interface WatcherOptions {
  readonly name: string;
  readonly url: string;
  readonly token: string;
  /** Called with each record that it is told. */
  readonly onTold: (guild: string, revision: number) => void;
}

/** Makes a watcher that does not follow yet. */
export function createWatcher({ name, url, token, onTold }: WatcherOptions): Watcher {
  const records = new Map<string, Seen>();
  const told: { guild: string; seen: Seen }[] = [];
  const disorder: string[] = [];
  const repeats: string[] = [];
  let cursor: Cursor | undefined;
  let stopping = new AbortController();
  let following: Promise<void> = Promise.resolve();

  function note({ revision, guild }: WatchedGuild): void {
    const { id, prefix, announcement_channel: channel } = guild;
    const seen = { revision, prefix, channel };
    records.set(id, seen);
    told.push({ guild: id, seen });
    onTold(id, revision);
  }

  /** Within an event as between two: from what was told before it, up to its own revision. */
  function noteDisorder({ revision, guilds }: Extract<WatchEvent, { type: 'guilds' }>, before: number): void {
    const order = [before, ...guilds.map((one) => one.revision)];
    for (const [index, next] of order.entries()) {
      const last = order[index - 1] ?? -1;
      if (index > 0 && next <= last) disorder.push(`guilds ${next} after ${last}`);
    }
    if (order.at(-1) !== revision) disorder.push(`guilds ${revision} with ${order.at(-1)} as the last`);
  }

  async function follow(signal: AbortSignal): Promise<void> {
    for await (const next of watch({ url, token, cursor, signal, silenceTimeoutMs: SILENCE })) {
      const { event } = next;
      const before = cursor?.revision ?? -1;
      const { revision } = next.cursor;
      const isNews = event.type === 'guild' || event.type === 'guilds' || event.type === 'removed';
      if (isNews && revision === before) repeats.push(`${event.type} ${revision}`);
      if (event.type !== 'reset' && revision < before) disorder.push(`${event.type} ${revision} after ${before}`);
      cursor = next.cursor;
      switch (event.type) {
        case 'reset':
          records.clear();
          break;
        case 'removed':
          records.delete(event.guild);
          break;
        case 'guild':
          note(event);
          break;
        case 'guilds':
          noteDisorder(event, before);
          event.guilds.forEach(note);
          break;
        case 'live':
        case 'bookmark':
          break;
      }
    }
  }

  return {
    name,
    records,
    told,
    disorder,
    repeats,
    get cursor() {
      return cursor;
    },
    start() {
      stopping = new AbortController();
      following = follow(stopping.signal);
    },
    async stop() {
      stopping.abort();
      await following;
    },
  };
}
