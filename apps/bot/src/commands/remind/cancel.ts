import { mayManageGuild } from '@guild-settings/contract';
import { nameOf, Refusal, wholeNumber } from '@guild-settings/discord/framework';
import { requireFeature } from '../../commands/guards.ts';
import { action } from '../../commands/services.ts';
import { botText } from '../../i18n/bot-text.ts';

export const cancel = action({
  options: { number: wholeNumber(true) },
  guard: (invocation) => requireFeature(invocation, 'reminders'),
  run({ invocation, options: { number: id }, services: { reminders } }) {
    const { guildId, userId, permissions, translator } = invocation;
    const owner = mayManageGuild({ owner: false, permissions }) ? 'any' : userId;
    if (reminders.cancel(guildId, owner, id)) return botText(translator)('remind.cancelled', { id });
    throw new Refusal(botText(translator)('remind.unknown', { id, command: nameOf(invocation, ['remind', 'list']) }));
  },
});
