import { createGuildSettingsClient, watch } from '@guild-settings/client';
import type { WatchEvent, WatchedGuild } from '@guild-settings/contract';

interface OlderBotOptions {
  readonly url: string;
  readonly token: string;
  /** Returns true for a record that it cannot use, as a version that does not know a value of it. */
  readonly rejects: (guild: WatchedGuild['guild']) => boolean;
}

const IDENTITY = { watcher: { id: 'older-bot', name: 'older bot' }, shards: [{ id: 0, count: 1 }] };

/** Starts a second bot of all guilds, which acknowledges each change, or rejects it. It ends at the end of its scope. */
export function startOlderBot({ url, token, rejects }: OlderBotOptions): AsyncDisposable {
  const client = createGuildSettingsClient({ url, token });
  const controller = new AbortController();
  const { signal } = controller;
  const follow = async () => {
    const watcher = () => ({ ...IDENTITY.watcher, shards: IDENTITY.shards });
    for await (const { cursor, event } of watch({ url, token, watcher, signal })) {
      const rejected = recordsOf(event)
        .filter(({ guild }) => rejects(guild))
        .map(({ guild, revision }) => ({
          guild: guild.id,
          revision,
          reason: 'a value that this version does not know',
        }));
      if (event.type !== 'reset') await client.guilds.acknowledge.mutate({ ...IDENTITY, cursor, rejected });
    }
  };
  const done = follow();
  return {
    async [Symbol.asyncDispose]() {
      controller.abort();
      await done;
    },
  };
}

function recordsOf(event: WatchEvent): readonly WatchedGuild[] {
  if (event.type === 'guilds') return event.guilds;
  return event.type === 'guild' ? [event] : [];
}
