import { GuildInput, ManagedGuildSummary, ProblemError } from '@guild-settings/contract';
import type { OpenGuild } from '../auth/granted-access.ts';
import { managedBy } from '../auth/guild-access.ts';
import { type Access, type AuthorizeGuild, authorizeCaller, checkedPerson, guildIdOf } from './authorize.ts';
import type { Call } from './call.ts';
import { requireUser } from './caller-access.ts';
import { EXAMPLE_SUMMARY, summariesOf } from './guild-summary.ts';
import { operation } from './operation.ts';

/** Grants users whom the guild that the path names lets in, with their highest level, whether the bot is in it or not. */
const openGuild: Access<{ readonly guild: OpenGuild }> = {
  problems: ['person-only', 'not-guild-manager'],
  async grant(found, call) {
    requireUser(found);
    return authorizeCaller(call, found, { id: await guildIdOf(call), authorize: opener(call) });
  },
};

function opener(call: Call): AuthorizeGuild<OpenGuild> {
  return (caller, id) => {
    const managed = managedBy(caller.principal, id);
    return managed ? { ...managed, level: 'manager' } : call.services.granted.open(checkedPerson(call, caller), id);
  };
}

export const readOwnGuild = operation({
  type: 'query',
  page: true,
  access: openGuild,
  input: GuildInput,
  output: ManagedGuildSummary,
  rest: {
    method: 'GET',
    path: '/users/@me/guilds/{guild}',
    operationId: 'readOwnGuild',
    tag: 'users',
    summary: 'Read what the caller may do in a guild',
    description:
      'Returns one guild as the list of guilds has it, whose settings the user may read: as a manager, or as an editor or a viewer ' +
      'by its access list.',
    response: 'The guild.',
    examples: { guild: { summary: 'A guild', value: EXAMPLE_SUMMARY } },
    requestHeaders: [],
    problems: [],
  },
  async handle({ guild, call }): Promise<ManagedGuildSummary> {
    const [summary] = await summariesOf(call, [guild]);
    if (summary === undefined) throw new ProblemError('not-guild-manager');
    return summary;
  },
});
