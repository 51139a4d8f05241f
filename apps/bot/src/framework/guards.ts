import { featureNamed, type KnownFeature, mayManageGuild } from '@guild-settings/contract';
import { Refusal } from '../i18n/text.ts';
import type { PermittedUser } from '../settings/service.ts';
import type { Invocation } from './invocation.ts';
import { nameOf } from './options.ts';

/**
 * Admits the users to whom Discord offers the commands for managers, which the guild's administrators decide. Discord does not
 * know the commands in messages: those are for users who own the guild, or have Manage Guild or Administrator there.
 * @throws Refusal
 */
export function requirePermission({ trigger, guildId, userId, permissions, translator }: Invocation): PermittedUser {
  // An owner has every permission.
  const isManager = mayManageGuild({ owner: false, permissions });
  const isPermitted = trigger.kind === 'message' ? isManager : trigger.kind === 'slash' || trigger.isPermitted;
  if (!isPermitted) throw new Refusal(translator.t(isManager ? 'guard.taken' : 'guard.manager'));
  return { guildId, userId } as PermittedUser;
}

export function requireBeta(invocation: Invocation, command: string): void {
  const { settings, translator } = invocation;
  if (settings.beta) return;
  const enable = nameOf(invocation, ['settings', 'set'], 'beta', 'on');
  throw new Refusal(translator.t('guard.beta', { command, enable }));
}

export function requireFeature(invocation: Invocation, name: KnownFeature): void {
  const { settings, translator } = invocation;
  if (settings.enabledFeatures.includes(name)) return;
  const enable = nameOf(invocation, ['settings', 'enable'], name);
  const feature = featureNamed(name).names[translator.language];
  throw new Refusal(translator.t('guard.feature', { feature, enable }));
}
