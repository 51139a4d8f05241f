import type { ReplicaStatus } from '@guild-settings/replica';
import type { Speech } from '../speech/speech.ts';
import { VERSION } from '../version.ts';
import { action, type Command, everybody } from './command.ts';

/** Which bot this is, and how fresh its settings are. */
export const about: Command = {
  name: 'about',
  action: action({
    options: {},
    guard: everybody,
    run({ invocation: { guildId, speech }, services: { connection, replica } }) {
      const { id, count } = connection.shardOf(guildId);
      return [
        speech.t('about.bot', { version: VERSION, shard: id, count }),
        speech.t('about.servers', { count: connection.guilds }),
        freshness(speech, replica.status, replica.metrics.revision),
      ].join('\n');
    },
  }),
};

function freshness(speech: Speech, status: ReplicaStatus, revision: number): string {
  switch (status.state) {
    case 'LIVE':
      return speech.t('about.live', { revision });
    case 'STALE':
      return speech.t('about.stale', { since: speech.moment(status.since.getTime(), 'UTC') });
    case 'SYNCING':
      return speech.t('about.syncing');
  }
}
