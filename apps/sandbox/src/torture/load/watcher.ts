import { watch } from '@guild-settings/client';
import type { Cursor } from '@guild-settings/contract';
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

  async function follow(signal: AbortSignal): Promise<void> {
    for await (const next of watch({ url, token, cursor, signal, silence: SILENCE })) {
      const { event } = next;
      const before = cursor?.revision ?? -1;
      const { revision } = next.cursor;
      const isNews = event.type === 'guild' || event.type === 'removed';
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
        case 'guild': {
          const { id, prefix, announcement_channel: channel } = event.guild;
          const seen = { revision: event.revision, prefix, channel };
          records.set(id, seen);
          told.push({ guild: id, seen });
          onTold(id, event.revision);
          break;
        }
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
