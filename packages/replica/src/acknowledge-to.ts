import { type GuildSettingsClient, isGuildSettingsError, problemSlugOf, withRequest } from '@guild-settings/client';
import type { Watcher } from '@guild-settings/contract';
import type { Acknowledge } from './acknowledger.ts';

/** Returns a function that sends acknowledgements to the service. */
export function acknowledgeTo(
  { guilds }: GuildSettingsClient,
  { name, shards }: Pick<Watcher, 'name' | 'shards'>,
): Acknowledge {
  return async ({ id, cursor, rejected }, { signal }) => {
    try {
      const acknowledgement = { watcher: { id, name }, shards, cursor, rejected: [...rejected] };
      // A request of its own is sent at once: a batch waits for more calls.
      return await guilds.acknowledge.mutate(acknowledgement, withRequest({ signal }));
    } catch (error) {
      // An earlier version of the service has no such call, and waits for nobody.
      if (isGuildSettingsError(error) && problemSlugOf(error) === 'not-found') return { latencyMs: null, pauseMs: 0 };
      throw error;
    }
  };
}
