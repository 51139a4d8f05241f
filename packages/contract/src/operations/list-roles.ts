import { GuildRoles } from '../guild-directory.ts';
import { GuildInput } from '../guild-patch.ts';
import { LIST_BYTES, operation } from './operation.ts';

const EXAMPLE = [
  { id: '197038439483310202', name: 'Melody', color: 0, position: 2, managed: true, assignable: false },
  { id: '197038439483310201', name: 'Moderators', color: 0x3498db, position: 1, managed: false, assignable: true },
] satisfies GuildRoles;

export const listGuildRoles = operation({
  type: 'query',
  page: true,
  access: 'view',
  input: GuildInput,
  output: GuildRoles.meta({ id: 'GuildRoles' }),
  maxOutputBytes: LIST_BYTES,
  rest: {
    method: 'GET',
    path: '/guilds/{guild}/roles',
    operationId: 'listRoles',
    tag: 'guilds',
    summary: 'List the roles',
    description:
      "Requested from Discord with the bot's token, and at most 30 seconds old. Lists the roles in the order of Discord's client, " +
      'the highest first, without @everyone, and whether the bot can give each to members.',
    response: 'The roles.',
    examples: { roles: { summary: 'The role of a bot, and one that members can be given', value: EXAMPLE } },
    requestHeaders: ['X-On-Behalf-Of'],
    problems: ['bot-token-missing', 'discord-unavailable'],
  },
});
