import { NoInput } from '../guild-patch.ts';
import { ManagedGuilds } from '../users.ts';
import { EXAMPLE_SUMMARY } from './examples.ts';
import { LIST_BYTES, operation } from './operation.ts';

export const listManagedGuilds = operation({
  type: 'query',
  page: true,
  access: 'user',
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
});
