import { mayManageGuild } from '@guild-settings/contract';
import { Refusal } from '../i18n/refusal.ts';
import type { GuildManager } from '../settings/settings-writer.ts';
import { nameOf } from './command-texts.ts';
import type { Invocation } from './invocation.ts';

/**
 * Lets managers pass: whoever owns the guild or has Manage Guild or Administrator there.
 * @throws Refusal
 */
export function requireManager({ guildId, userId, permissions, translator }: Invocation): GuildManager {
  // Discord gives an owner every permission.
  if (!mayManageGuild({ owner: false, permissions })) throw new Refusal(translator.t('guard.manager'));
  return { guildId, userId } as GuildManager;
}

/**
 * Lets pass where beta features are on.
 * @throws Refusal saying how to switch them on
 */
export function requireBeta(invocation: Invocation, command: string): void {
  const { settings, translator } = invocation;
  if (settings.beta) return;
  const enable = nameOf(invocation, ['settings', 'set'], 'beta', 'on');
  throw new Refusal(translator.t('guard.beta', { command, enable }));
}

/**
 * Lets pass where the feature `reminders` is on.
 * @throws Refusal saying how to switch it on
 */
export function requireReminders(invocation: Invocation): void {
  const { settings, translator } = invocation;
  if (settings.enabledFeatures.includes('reminders')) return;
  // The value is replaced whole, so what is on already has to be part of it; not every name can be typed.
  const canBeTyped = settings.enabledFeatures.every((name) => /^[\w.-]{1,64}$/.test(name));
  const names =
    canBeTyped && settings.enabledFeatures.length < 20 ? [[...settings.enabledFeatures, 'reminders'].join(',')] : [];
  throw new Refusal(
    translator.t('guard.feature', { enable: nameOf(invocation, ['settings', 'set'], 'enabledFeatures', ...names) }),
  );
}
