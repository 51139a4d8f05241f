import {
  AccessListInput,
  GuildAccessList,
  type GuildId,
  ProblemError,
  pointerTo,
  roleSubject,
  ServedAccessList,
  tagOf,
} from '@guild-settings/contract';
import { accessVersionOf } from '../domain/access-list.ts';
import type { StoredGuild } from '../store/guild-store.ts';
import { authorizerOf, changeOptions, guildAccess, writeAuthorized } from './authorize.ts';
import { EXAMPLE_ACCESS } from './example-access.ts';
import { operation } from './operation.ts';

export const setAccess = operation({
  type: 'mutation',
  page: true,
  access: guildAccess('manage'),
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
  async handle({ caller, guild, stored, input, call }): Promise<ServedAccessList> {
    const { entries } = input;
    requireNotEveryone(entries, guild.id);
    if (!call.services.granted.knowsRoles(caller.facts.scope)) requireNoNewRole(entries, stored);
    const access = { caller, guild, authorize: authorizerOf(call, 'manage') };
    const options = changeOptions(call, caller);
    try {
      const written = await writeAuthorized(call, access, (permission) =>
        call.services.accessLists.set(permission, entries, options),
      );
      call.response.contentTag = tagOf(accessVersionOf(written));
      return { entries: [...(written?.access ?? [])] };
    } catch (error) {
      if (error instanceof ProblemError && error.slug === 'revision-mismatch')
        call.response.contentTag = tagOf(accessVersionOf(await call.services.guilds.find(guild)));
      throw error;
    }
  },
});

/** @throws ProblemError invalid-request for an entry of the role that every member has */
function requireNotEveryone(entries: GuildAccessList['entries'], id: GuildId): void {
  const index = entries.findIndex(({ subject }) => subject === roleSubject(id));
  if (index < 0) return;
  const path = ['entries', index, 'subject'];
  const message = 'expected a role that not every member has: @everyone cannot be let in';
  throw new ProblemError('invalid-request', { issues: [{ path, pointer: pointerTo(path), message }] });
}

/** @throws ProblemError bot-token-missing for a new entry of a role: the service cannot read who has the role */
function requireNoNewRole(entries: GuildAccessList['entries'], stored: StoredGuild | null): void {
  const known = new Set(stored?.access?.map(({ subject }) => subject));
  if (!entries.some(({ subject }) => subject.startsWith('role:') && !known.has(subject))) return;
  throw new ProblemError('bot-token-missing', {
    detail:
      'This service cannot read who has a role, so the list can have users only. To add roles, the operator of the service sets ' +
      'DISCORD_BOT_TOKEN, or the site that requests access tokens adds the scope guilds.members.read. Nothing was changed.',
  });
}
