import { ServedAccessList } from '../guild-access.ts';
import { GuildInput } from '../guild-patch.ts';
import { EXAMPLE_ACCESS } from './examples.ts';
import { operation } from './operation.ts';

export const readAccess = operation({
  type: 'query',
  page: true,
  access: 'view',
  input: GuildInput,
  output: ServedAccessList,
  rest: {
    method: 'GET',
    path: '/guilds/{guild}/access',
    operationId: 'readAccess',
    tag: 'access',
    summary: 'Read the access list',
    description:
      'Returns the people besides managers with access to the settings of a guild: members with a role, and users. An editor ' +
      'changes, undoes, restores and imports settings; a viewer reads them and their history. Entries grant access to ' +
      'members of the guild only. An entry of a deleted role grants no access.',
    response: 'The access list.',
    examples: { access: { summary: 'A role of editors, and a viewer', value: EXAMPLE_ACCESS } },
    requestHeaders: ['If-None-Match', 'X-On-Behalf-Of'],
    problems: [],
  },
});
