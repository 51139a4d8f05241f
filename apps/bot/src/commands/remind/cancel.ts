import { mayManageGuild } from '@guild-settings/contract';
import { action } from '../../framework/command.ts';
import { requireFeature } from '../../framework/guards.ts';
import { nameOf, wholeNumber } from '../../framework/options.ts';
import { Refusal } from '../../i18n/text.ts';

export const cancel = action({
  options: { number: wholeNumber(true) },
  guard: (invocation) => requireFeature(invocation, 'reminders'),
  run({ invocation, options: { number: id }, services: { reminders } }) {
    const { guildId, userId, permissions, translator } = invocation;
    const owner = mayManageGuild({ owner: false, permissions }) ? 'any' : userId;
    if (reminders.cancel(guildId, owner, id)) return translator.t('remind.cancelled', { id });
    throw new Refusal(translator.t('remind.unknown', { id, command: nameOf(invocation, ['remind', 'list']) }));
  },
});
