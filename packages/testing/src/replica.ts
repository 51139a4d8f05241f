import type { WatchedEvent } from '@guild-settings/client';
import { type Cursor, DEFAULT_SETTINGS, type Guild, type GuildId, type WatchEvent } from '@guild-settings/contract';
import type { CustomSettings, Declaration } from '@guild-settings/contract/settings';
import { Replica } from '../../replica/src/replica.ts';
import type { FollowOptions, ReplicaOptions } from '../../replica/src/replica-options.ts';
import { temporaryFile, waitUntil } from './index.ts';

export const recordOf = (id: GuildId, prefix: string): Guild => ({
  id,
  name: 'n',
  icon: null,
  ...DEFAULT_SETTINGS,
  prefix,
});

export function eventsOf(epoch: string) {
  const at = (revision: number, event: WatchEvent): WatchedEvent => ({ cursor: { epoch, revision }, event });
  return {
    reset: at(0, { type: 'reset', epoch }),
    guild: (id: GuildId, revision: number, prefix: string) =>
      at(revision, { type: 'guild', revision, guild: recordOf(id, prefix) }),
    guilds(...all: readonly (readonly [id: GuildId, revision: number, prefix: string])[]) {
      const guilds = all.map(([id, revision, prefix]) => ({ revision, guild: recordOf(id, prefix) }));
      const revision = guilds.at(-1)?.revision ?? 0;
      return at(revision, { type: 'guilds', revision, guilds });
    },
    declaration: (declaration: Declaration, tag = JSON.stringify(declaration)) =>
      at(0, { type: 'declaration', tag, declaration }),
    /** A record in a stream with a declaration: the set values. */
    set(id: GuildId, revision: number, { custom = {}, ...set }: { prefix?: string; custom?: CustomSettings }) {
      const unset = Object.keys(DEFAULT_SETTINGS).filter((name) => !Object.hasOwn(set, name));
      const guild = { ...recordOf(id, set.prefix ?? 'of the service'), custom };
      return at(revision, { type: 'guild', revision, guild, unset });
    },
    removed: (guild: GuildId, revision: number) => at(revision, { type: 'removed', revision, guild }),
    live: (revision: number) => at(revision, { type: 'live', revision }),
    bookmark: (revision: number) => at(revision, { type: 'bookmark', revision }),
  };
}

/** Starts a replica in a temporary file, or in that of the options, whose service sends the events of a test. */
export function followedReplica<const D extends Declaration | undefined = undefined>(
  options: Partial<ReplicaOptions<D>> = {},
) {
  const file = temporaryFile();
  const path = options.path ?? file.path;
  const pending: WatchedEvent[] = [];
  const cursors: (Cursor | undefined)[] = [];
  const runs: (string | undefined)[] = [];
  let wake = () => {};
  let disconnect: FollowOptions['onDisconnect'] = () => {};
  async function* follow({ cursor, watcher, signal, onDisconnect }: FollowOptions) {
    cursors.push(cursor);
    runs.push(watcher().run);
    disconnect = onDisconnect;
    signal.addEventListener('abort', () => wake());
    while (!signal.aborted) {
      const [next] = pending;
      if (next === undefined) await new Promise<void>((resolve) => (wake = resolve));
      else {
        yield next;
        pending.shift();
      }
    }
  }
  const replica = new Replica<D>({ follow, ...options, path });
  replica.start();
  return {
    replica,
    path,
    /** The cursor of each connection. */
    cursors,
    /** The run id of each connection's process. */
    runs,
    disconnect: () => disconnect(new Error('gone')),
    /** Resolves when the replica has applied the events. */
    async send(...events: readonly WatchedEvent[]) {
      pending.push(...events);
      wake();
      await waitUntil(() => pending.length === 0);
    },
    async [Symbol.asyncDispose]() {
      await replica.close();
      file[Symbol.dispose]();
    },
  };
}
