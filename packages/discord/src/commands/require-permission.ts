import { mayManageGuild } from '@guild-settings/contract';
import type { Invocation } from '../framework/invocation.ts';
import { Refusal } from '../i18n/text.ts';
import type { PermittedUser } from '../settings/service.ts';

/**
 * Admits the users to whom Discord offers the commands for managers, which the guild's administrators decide. Discord
 * does not check commands in messages: these are for the owner, and for members with Manage Guild or Administrator.
 * @throws Refusal
 */
export function requirePermission({ trigger, guildId, userId, permissions, translator }: Invocation): PermittedUser {
  // An owner has every permission.
  const isManager = mayManageGuild({ owner: false, permissions });
  const isPermitted = trigger.kind === 'message' ? isManager : trigger.isPermitted;
  if (!isPermitted) throw new Refusal(translator.t(isManager ? 'guard.taken' : 'guard.manager'));
  return { guildId, userId } as PermittedUser;
}
