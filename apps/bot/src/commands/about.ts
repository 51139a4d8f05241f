import { allUsers, type Translator } from '@guild-settings/discord/framework';
import type { ReplicaStatus } from '@guild-settings/replica';
import { action, type BotCommand } from '../commands/services.ts';
import { VERSION } from '../config.ts';
import { botText } from '../i18n/bot-text.ts';

export const about: BotCommand = {
  name: 'about',
  action: action({
    options: {},
    guard: allUsers,
    run({ invocation: { guildId, translator }, services: { connection, replica, shards } }) {
      const { id, count } = shards.shardOf(guildId);
      return [
        botText(translator)('about.bot', { version: VERSION }),
        ...(count > 1 ? [botText(translator)('about.shard', { shard: id, shards: count })] : []),
        botText(translator)('about.servers', { count: shards.guilds }),
        freshness(translator, replica.status, replica.metrics.revision),
        ...arrival(translator, replica.metrics.arrivalMs),
        ...(connection.readsMessages ? [] : [botText(translator)('settings.slashOnly')]),
      ].join('\n');
    },
  }),
};

function arrival(translator: Translator, arrivalMs: number): string[] {
  return Number.isNaN(arrivalMs) ? [] : [botText(translator)('about.arrival', { ms: Math.round(arrivalMs) })];
}

function freshness(translator: Translator, status: ReplicaStatus, revision: number): string {
  switch (status.state) {
    case 'LIVE':
      return botText(translator)('about.live', { revision });
    case 'STALE':
      return botText(translator)('settings.stale', { since: translator.moment(status.since.getTime(), 'UTC') });
    case 'SYNCING':
      return botText(translator)('about.syncing');
  }
}
