import { GuildInput, ServedAccessList, tagOf } from '@guild-settings/contract';
import { accessVersionOf } from '../domain/access-list.ts';
import { evaluatePrecondition } from '../domain/precondition.ts';
import { guildAccess } from './authorize.ts';
import { EXAMPLE_ACCESS } from './example-access.ts';
import { operation } from './operation.ts';

export const readAccess = operation({
  type: 'query',
  page: true,
  access: guildAccess('view'),
  input: GuildInput,
  output: ServedAccessList,
  rest: {
    method: 'GET',
    path: '/guilds/{guild}/access',
    operationId: 'readAccess',
    tag: 'access',
    summary: 'Read the access list',
    description:
      'Returns who else than its managers is let into the settings of a guild: members with a role, and users. An editor ' +
      'changes, undoes, restores and imports settings; a viewer reads them and their history. Entries grant access to ' +
      'members of the guild only. An entry of a deleted role grants access to nobody.',
    response: 'The access list.',
    examples: { access: { summary: 'A role of editors, and a viewer', value: EXAMPLE_ACCESS } },
    requestHeaders: ['If-None-Match', 'X-On-Behalf-Of'],
    problems: [],
  },
  async handle({ stored, call }): Promise<ServedAccessList> {
    const { ifNoneMatch } = call.request.precondition() ?? {};
    const version = accessVersionOf(stored);
    call.response.contentTag = tagOf(version);
    call.response.notModified =
      ifNoneMatch !== undefined && evaluatePrecondition({ ifNoneMatch }, version) !== 'proceed';
    return { entries: [...(stored?.access ?? [])] };
  },
});
