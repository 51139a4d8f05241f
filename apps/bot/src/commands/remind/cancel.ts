import { mayManageGuild } from '@guild-settings/contract';
import { action } from '../command.ts';
import { nameOf } from '../command-texts.ts';
import { requireReminders } from '../guards.ts';
import { wholeNumber } from '../options.ts';
import { Refusal } from '../refusal.ts';

/** Forgets a reminder of the person's own, or for a manager anybody's. */
export const cancel = action({
  options: { number: wholeNumber() },
  guard: requireReminders,
  run({ invocation, options: { number: id }, services: { reminders } }) {
    const { guildId, userId, permissions, speech } = invocation;
    const whose = mayManageGuild({ owner: false, permissions }) ? 'anybody' : userId;
    if (reminders.cancel(guildId, whose, id)) return speech.t('remind.cancelled', { id });
    throw new Refusal(speech.t('remind.unknown', { id, command: nameOf(invocation, ['remind', 'list']) }));
  },
});
