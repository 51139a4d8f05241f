import type { WatchedEvent } from '@guild-settings/client';
import type { ReplicaMetrics, ReplicaStatus } from '@guild-settings/replica';
import { waitUntil } from '@guild-settings/testing';
import type { ReaderProcess } from './reader-process.ts';
import { TOKEN } from './world.ts';

/** A record, or its settings, of any version. */
export type AnyRecord = Readonly<Record<string, unknown>>;

/** The state of a reader's replica, and what it returns for some guilds. */
export interface ReplicaState {
  readonly status: ReplicaStatus;
  readonly metrics: ReplicaMetrics;
  readonly settings: Readonly<Record<string, AnyRecord>>;
  readonly changed: readonly { readonly guild: string; readonly before: AnyRecord; readonly after: AnyRecord }[];
  readonly logged: readonly string[];
}

/** The events that a reader's watch has received, and the reasons why connections ended. */
export interface Watched {
  readonly events: readonly WatchedEvent[];
  readonly failures: readonly string[];
}

/** Returns the commands of a reader for one service. */
export function commandsOf(reader: ReaderProcess, url: string) {
  const to = { url, token: TOKEN };
  const watched = () => reader.send<Watched>('watched');
  const replica = (...guilds: readonly string[]) => reader.send<ReplicaState>('replica', { guilds });
  return {
    get: async (guild: string) =>
      (await reader.send<Called>('call', { ...to, procedure: 'guilds.get', type: 'query', input: { guild } })).result,
    update: async (guild: string, patch: object) =>
      (await reader.send<Called>('call', { ...to, ...UPDATE, input: { guild, ...patch } })).result,
    /** Watches after a cursor until the watch is live. Returns its events up to then. */
    async watch(cursor?: WatchedEvent['cursor']): Promise<Watched> {
      await reader.send('watch', { ...to, cursor });
      await waitUntil(async () => (await watched()).events.some(({ event }) => event.type === 'live'));
      const received = await watched();
      await reader.send('unwatch');
      return received;
    },
    openReplica: (path: string) => reader.send('openReplica', { ...to, path }),
    replica,
    /** Resolves when the replica is live at a revision, or a later one. */
    async reaches(revision: number): Promise<void> {
      await waitUntil(async () => {
        const { status, metrics } = await replica();
        return status.state === 'LIVE' && metrics.revision >= revision;
      });
    },
    closeReplica: () => reader.send('closeReplica'),
  };
}

const UPDATE = { procedure: 'guilds.update', type: 'mutate' };

interface Called {
  readonly result: AnyRecord;
}

/** Returns the newest record of a guild among events. */
export function recordIn({ events }: Watched, guild: string): AnyRecord | undefined {
  const records = events.flatMap(({ event }) =>
    event.type === 'guilds' ? event.guilds : event.type === 'guild' ? [event] : [],
  );
  return records.findLast((record) => record.guild.id === guild)?.guild;
}
