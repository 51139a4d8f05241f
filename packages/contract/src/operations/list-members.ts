import { type GuildMember, GuildMembers, MembersInput } from '../guild-directory.ts';
import { operation } from './operation.ts';

const EXAMPLE = [
  { id: '80351110224678912', name: 'Olga', avatar: '8342729096ea3675442027381ff50dfe' },
  { id: '53908099506183680', name: 'nelly', avatar: null },
] satisfies GuildMember[];

/** Lists the names of people who have changed a guild or are on its access list, or finds members by name. */
export const listGuildMembers = operation({
  type: 'query',
  page: true,
  access: 'view',
  input: MembersInput,
  output: GuildMembers.meta({ id: 'GuildMembers' }),
  rest: {
    method: 'GET',
    path: '/guilds/{guild}/members',
    query: ['ids', 'query'],
    operationId: 'listMembers',
    tag: 'guilds',
    summary: 'List the names of people, or search members',
    description:
      "Names and avatars, requested from Discord with the bot's token: either of people by their ids, or of members whose name " +
      'begins with a text. ' +
      'With `ids`: people who have changed the guild, and members who are on its access list or whom its settings name, at most five ' +
      'minutes old. An author ' +
      'who has left the guild has their display name. All others, and people whom Discord does not know any more, are left out. In a long history the newest 10,000 changes are examined. ' +
      'With `query`: at most 25 members of the guild whose username or nickname begins with it, at most 30 seconds old.',
    response: "The people, in the order of the ids, or the members that were found, in Discord's order.",
    examples: { people: { summary: 'A person with an avatar, and one without', value: EXAMPLE } },
    requestHeaders: ['X-On-Behalf-Of'],
    problems: ['bot-token-missing', 'discord-unavailable'],
  },
});
