import type { ReplicaStatus } from '@guild-settings/replica';
import { VERSION } from '../config.ts';
import { action, allUsers, type Command } from '../framework/command.ts';
import type { Translator } from '../i18n/translator.ts';

export const about: Command = {
  name: 'about',
  action: action({
    options: {},
    guard: allUsers,
    run({ invocation: { guildId, translator }, services: { connection, replica } }) {
      const { id, count } = connection.shardOf(guildId);
      return [
        translator.t('about.bot', { version: VERSION }),
        ...(count > 1 ? [translator.t('about.shard', { shard: id, shards: count })] : []),
        translator.t('about.servers', { count: connection.guilds }),
        freshness(translator, replica.status, replica.metrics.revision),
        ...arrival(translator, replica.metrics.arrivalMs),
        ...(connection.readsMessages ? [] : [translator.t('about.slashOnly')]),
      ].join('\n');
    },
  }),
};

function arrival(translator: Translator, arrivalMs: number): string[] {
  return Number.isNaN(arrivalMs) ? [] : [translator.t('about.arrival', { ms: Math.round(arrivalMs) })];
}

function freshness(translator: Translator, status: ReplicaStatus, revision: number): string {
  switch (status.state) {
    case 'LIVE':
      return translator.t('about.live', { revision });
    case 'STALE':
      return translator.t('about.stale', { since: translator.moment(status.since.getTime(), 'UTC') });
    case 'SYNCING':
      return translator.t('about.syncing');
  }
}
