import { type ManagedGuildSummary, ManagedGuilds, NoInput } from '@guild-settings/contract';
import type { OpenGuild } from '../auth/granted-access.ts';
import { authorizeManager } from '../auth/guild-access.ts';
import { checkedAgain, checkedPerson } from './authorize.ts';
import { requireUser, userOnly } from './caller-access.ts';
import { EXAMPLE_SUMMARY, summariesOf } from './guild-summary.ts';
import { LIST_BYTES, operation } from './operation.ts';

export const listManagedGuilds = operation({
  type: 'query',
  page: true,
  access: userOnly,
  input: NoInput,
  output: ManagedGuilds,
  maxOutputBytes: LIST_BYTES,
  rest: {
    method: 'GET',
    path: '/users/@me/guilds',
    operationId: 'listManagedGuilds',
    tag: 'users',
    summary: 'List the guilds whose settings the caller may read',
    description:
      'Returns the guilds of the user that it owns, or in which it has Manage Guild or Administrator, then those whose access ' +
      'list lets it in, and whether the bot is in them. The roles of the user are looked up for at most ten guilds: others that ' +
      'let it in by a role are found with `/users/@me/guilds/{guild}`. The list is that of the check of the token, and `Age` has ' +
      'its age. With `Cache-Control: no-cache` Discord is requested again, unless that was done less than five seconds ago or ' +
      'Discord is unavailable: then the response is the list of before.',
    response: "The guilds that the user manages, then the others, each in Discord's order.",
    responseHeaders: ['Age'],
    examples: { guilds: { summary: 'One guild', value: [EXAMPLE_SUMMARY] } },
    requestHeaders: ['Cache-Control'],
    problems: [],
  },
  async handle({ caller, call }): Promise<ManagedGuildSummary[]> {
    const { services, request, response } = call;
    const newest = (request.wantsNewResult() ? await checkedAgain(call, caller) : undefined) ?? caller;
    const user = requireUser(newest);
    response.ageSeconds = Math.max(0, Math.floor((services.monotonicMs() - newest.checkedAtMs) / 1_000));
    const managed = [...user.managedGuilds.keys()].map(
      (id): OpenGuild => ({ ...authorizeManager(user, id), level: 'manager' }),
    );
    return summariesOf(call, [...managed, ...(await services.granted.list(checkedPerson(call, newest)))]);
  },
});
