import { GuildInput } from '../guild-patch.ts';
import { ManagedGuildSummary } from '../users.ts';
import { EXAMPLE_SUMMARY } from './examples.ts';
import { operation } from './operation.ts';

export const readOwnGuild = operation({
  type: 'query',
  page: true,
  access: 'open',
  input: GuildInput,
  output: ManagedGuildSummary,
  rest: {
    method: 'GET',
    path: '/users/@me/guilds/{guild}',
    operationId: 'readOwnGuild',
    tag: 'users',
    summary: 'Read what the caller may do in a guild',
    description:
      'Returns one guild as in the list of guilds, if the user may read its settings: as a manager, or as an editor or a viewer ' +
      'by its access list.',
    response: 'The guild.',
    examples: { guild: { summary: 'A guild', value: EXAMPLE_SUMMARY } },
    requestHeaders: [],
    problems: [],
  },
});
