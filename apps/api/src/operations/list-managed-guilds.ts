import { type ManagedGuildSummary, ManagedGuilds, NoInput } from '@guild-settings/contract';
import { authorizeGuild } from '../auth/managed-guild.ts';
import { checkedAgain } from './authorize.ts';
import { requireUser, userOnly } from './caller-access.ts';
import { operation } from './operation.ts';

const EXAMPLE: ManagedGuildSummary = {
  id: '197038439483310086',
  name: 'Discord Testers',
  icon: 'f64c482b807da4f539cff778d174971c',
  owner: false,
  permissions: '32',
  botPresent: true,
};

/** Lists the guilds that the caller manages. */
export const listManagedGuilds = operation({
  type: 'query',
  access: userOnly,
  input: NoInput,
  output: ManagedGuilds,
  rest: {
    method: 'GET',
    path: '/users/@me/guilds',
    operationId: 'listManagedGuilds',
    tag: 'users',
    summary: 'List the guilds that the caller manages',
    description:
      'Returns the guilds of the user that it owns, or in which it has Manage Guild or Administrator, and whether the bot is ' +
      'in them. The list is that of the check of the token, and `Age` has its age. With `Cache-Control: no-cache` Discord is ' +
      'requested again, unless that was done less than five seconds ago or Discord is unavailable: then the response is the ' +
      'list of before.',
    response: "The guilds, in Discord's order.",
    responseHeaders: ['Age'],
    examples: { guilds: { summary: 'One guild', value: [EXAMPLE] } },
    requestHeaders: ['Cache-Control'],
    problems: [],
  },
  async handle({ caller, call }): Promise<ManagedGuildSummary[]> {
    const { services, request, response } = call;
    const newest = (request.wantsNewResult() ? await checkedAgain(call, caller) : undefined) ?? caller;
    const user = requireUser(newest);
    const guilds = [...user.managedGuilds];
    const presence = await services.guilds.botPresence(guilds.map(([id]) => authorizeGuild(user, id)));
    response.ageSeconds = Math.max(0, Math.floor((services.monotonicMs() - newest.checkedAtMs) / 1_000));
    return guilds.map(([id, { profile, isOwner: owner, permissions }], at) => ({
      id,
      ...profile,
      owner,
      permissions: String(permissions),
      botPresent: presence[at] ?? null,
    }));
  },
});
