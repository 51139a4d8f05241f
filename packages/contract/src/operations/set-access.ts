import { AccessListInput, GuildAccessList, ServedAccessList } from '../guild-access.ts';
import { EXAMPLE_ACCESS } from './examples.ts';
import { operation } from './operation.ts';

export const setAccess = operation({
  type: 'mutation',
  page: true,
  access: 'manage',
  input: AccessListInput,
  body: GuildAccessList,
  output: ServedAccessList,
  rest: {
    method: 'PUT',
    path: '/guilds/{guild}/access',
    operationId: 'setAccess',
    tag: 'access',
    summary: 'Replace the access list',
    description:
      'Replaces all entries, as one change in the history. Only managers may do that. The entity tag is ' +
      'that of the list, and the revision of the guild stays as it is. The same entries in another order change nothing. Once the ' +
      'response is sent, no write that relies on a removed entry is committed.',
    response: 'The access list after the change.',
    examples: { access: { summary: 'A role of editors, and a viewer', value: EXAMPLE_ACCESS } },
    requestHeaders: ['If-Match', 'If-None-Match', 'X-Audit-Log-Reason', 'X-On-Behalf-Of'],
    problems: ['revision-mismatch', 'bot-token-missing', 'change-log-full', 'write-unconfirmed'],
    bodyExamples: {
      access: { summary: 'A role of editors, and a viewer', value: EXAMPLE_ACCESS },
      none: { summary: 'Managers only', value: { entries: [] } },
    },
  },
});
