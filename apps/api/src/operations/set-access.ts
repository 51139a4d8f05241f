import {
  type GuildAccessList,
  type GuildId,
  ProblemError,
  pointerTo,
  roleSubject,
  tagOf,
} from '@guild-settings/contract';
import type { Operations } from '@guild-settings/contract/operations';
import { accessVersionOf } from '../domain/record.ts';
import type { StoredGuild } from '../store/guild-store.ts';
import { authorizerOf } from './access.ts';
import type { Handler } from './handler.ts';
import { changeOptions, writeAuthorized } from './write.ts';

export const setAccess: Handler<Operations['guilds']['setAccess']> = async ({ caller, guild, stored, input, call }) => {
  const { entries } = input;
  requireNotEveryone(entries, guild.id);
  if (!call.services.granted.knowsRoles(caller.facts.scope)) requireNoNewRole(entries, stored);
  const access = { caller, guild, authorize: authorizerOf(call, 'manage') };
  const options = changeOptions(call, caller);
  const written = await writeAuthorized(call, access, (permission) =>
    call.services.accessLists.set(permission, entries, options),
  );
  return { body: { entries: [...(written?.access ?? [])] }, contentTag: tagOf(accessVersionOf(written)) };
};

/** @throws ProblemError invalid-request for an entry of the role @everyone */
function requireNotEveryone(entries: GuildAccessList['entries'], id: GuildId): void {
  const index = entries.findIndex(({ subject }) => subject === roleSubject(id));
  if (index < 0) return;
  const path = ['entries', index, 'subject'];
  const message = 'expected a role other than @everyone, which every member has';
  throw new ProblemError('invalid-request', { issues: [{ path, pointer: pointerTo(path), message }] });
}

/**
 * @throws ProblemError bot-token-missing for a new role entry: without the token the service cannot read the members'
 * roles
 */
function requireNoNewRole(entries: GuildAccessList['entries'], stored: StoredGuild | null): void {
  const known = new Set(stored?.access?.map(({ subject }) => subject));
  if (!entries.some(({ subject }) => subject.startsWith('role:') && !known.has(subject))) return;
  throw new ProblemError('bot-token-missing', {
    detail:
      'This service cannot read who has a role, so the list can only have users. To add roles, the operator of the service has to set ' +
      'DISCORD_BOT_TOKEN, or the site that requests access tokens has to add the scope guilds.members.read. Nothing was changed.',
  });
}
