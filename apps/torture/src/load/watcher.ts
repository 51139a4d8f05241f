import { watch } from '@guild-settings/client';
import type { Cursor, WatchEvent, WatchedGuild } from '@guild-settings/contract';
import { tokenOf } from '@guild-settings/discord-sim/testing/world';
import type { Seen } from '../history.ts';

/** Silence after which a connection counts as dead: slightly more than between two bookmarks. */
const SILENCE_TIMEOUT_MS = 6_000;

export type Watcher = ReturnType<typeof createWatcher>;

export function createWatcher(name: string, url: string, onRecord: (guild: string, revision: number) => void) {
  const token = tokenOf('application');
  const records = new Map<string, Seen>();
  const received: { guild: string; seen: Seen }[] = [];
  const disorder: string[] = [];
  const repeats: string[] = [];
  let cursor: Cursor | undefined;
  let stopping = new AbortController();
  let following: Promise<void> = Promise.resolve();

  function note({ revision, guild }: WatchedGuild): void {
    const { id, prefix, announcement_channel: channel } = guild;
    const seen = { revision, prefix, channel };
    records.set(id, seen);
    received.push({ guild: id, seen });
    onRecord(id, revision);
  }

  /** Checks the order within an event: after the previous revision, up to the event's own. */
  function noteDisorder({ revision, guilds }: Extract<WatchEvent, { type: 'guilds' }>, before: number): void {
    const order = [before, ...guilds.map((one) => one.revision)];
    for (const [index, next] of order.entries()) {
      const last = order[index - 1] ?? -1;
      if (index > 0 && next <= last) disorder.push(`guilds ${next} after ${last}`);
    }
    if (order.at(-1) !== revision) disorder.push(`guilds ${revision} with ${order.at(-1)} as the last`);
  }

  async function follow(signal: AbortSignal): Promise<void> {
    for await (const next of watch({ url, token, cursor, signal, silenceTimeoutMs: SILENCE_TIMEOUT_MS })) {
      const { event } = next;
      const before = cursor?.revision ?? -1;
      const { revision } = next.cursor;
      const isChange = event.type === 'guild' || event.type === 'guilds' || event.type === 'removed';
      if (isChange && revision === before) repeats.push(`${event.type} ${revision}`);
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
        case 'declaration':
        case 'live':
        case 'bookmark':
          break;
      }
    }
  }

  return {
    name,
    records,
    received,
    disorder,
    repeats,
    get cursor(): Cursor | undefined {
      return cursor;
    },
    start(): void {
      stopping = new AbortController();
      following = follow(stopping.signal);
    },
    async stop(): Promise<void> {
      stopping.abort();
      await following;
    },
  };
}
