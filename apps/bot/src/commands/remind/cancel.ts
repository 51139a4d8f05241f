import { mayManageGuild } from '@guild-settings/contract';
import { action } from '../../framework/command.ts';
import { nameOf } from '../../framework/command-texts.ts';
import { requireReminders } from '../../framework/guards.ts';
import { wholeNumber } from '../../framework/options.ts';
import { Refusal } from '../../i18n/refusal.ts';

/** Forgets a reminder of the person's own, or for a manager anybody's. */
export const cancel = action({
  options: { number: wholeNumber() },
  guard: requireReminders,
  run({ invocation, options: { number: id }, services: { reminders } }) {
    const { guildId, userId, permissions, translator } = invocation;
    const whose = mayManageGuild({ owner: false, permissions }) ? 'anybody' : userId;
    if (reminders.cancel(guildId, whose, id)) return translator.t('remind.cancelled', { id });
    throw new Refusal(translator.t('remind.unknown', { id, command: nameOf(invocation, ['remind', 'list']) }));
  },
});
