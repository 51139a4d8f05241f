import { type GuildMember, GuildMembers, MembersInput, ProblemError } from '@guild-settings/contract';
import { personOf } from '../auth/principal.ts';
import { guildAccess } from './authorize.ts';
import { logReaderOf } from './log-reader.ts';
import { operation } from './operation.ts';

const EXAMPLE = [
  { id: '80351110224678912', name: 'Olga', avatar: '8342729096ea3675442027381ff50dfe' },
  { id: '53908099506183680', name: 'nelly', avatar: null },
] satisfies GuildMember[];

/** Lists the names of people who have changed a guild. */
export const listGuildMembers = operation({
  type: 'query',
  access: guildAccess('view'),
  input: MembersInput,
  output: GuildMembers.meta({ id: 'GuildMembers' }),
  rest: {
    method: 'GET',
    path: '/guilds/{guild}/members',
    query: ['ids'],
    operationId: 'listMembers',
    tag: 'guilds',
    summary: 'List the names of authors',
    description:
      "The names and avatars of people who have changed the guild, requested from Discord with the bot's token, and at most five " +
      'minutes old. A person who has left the guild has their display name. People who are not in the history of this guild, ' +
      'or whom Discord does not know any more, are left out. In a long history the newest 10,000 changes are examined.',
    response: 'The people, in the order of the ids.',
    examples: { people: { summary: 'A person with an avatar, and one without', value: EXAMPLE } },
    requestHeaders: ['X-On-Behalf-Of'],
    problems: ['bot-token-missing', 'discord-unavailable'],
  },
  async handle({ caller, guild, stored, input, call }): Promise<GuildMember[]> {
    const { asBot, history } = call.services;
    if (asBot === undefined) throw new ProblemError('bot-token-missing');
    const userIds = await history.authorsAmong(guild, input.ids, logReaderOf(call, caller));
    const presence = stored?.presence ?? 'unknown';
    return asBot.members.list({ id: guild.id, userIds, presence, person: personOf(guild.principal) });
  },
});
