import { code, type Translator } from '@guild-settings/discord/framework';
import { shorten } from '@guild-settings/i18n';
import { requireFeature } from '../../commands/guards.ts';
import { action } from '../../commands/services.ts';
import { botText } from '../../i18n/bot-text.ts';
import type { Reminder } from '../../reminders/reminders.ts';

/** Maximum code points of each text in the list, so that the maximum of reminders fits into one message. */
const SHOWN_CODE_POINTS = 20;

export const list = action({
  options: {},
  guard: (invocation) => requireFeature(invocation, 'reminders'),
  isPrivate: true,
  run({ invocation: { guildId, userId, translator }, services: { reminders } }) {
    const held = reminders.of(guildId, userId);
    if (held.length === 0) return botText(translator)('remind.none');
    return [
      botText(translator)('remind.title', { count: held.length }),
      ...held.map((reminder) => line(reminder, translator)),
    ].join('\n');
  },
});

function line({ id, dueAt, channelId, text, every, failure }: Reminder, translator: Translator): string {
  const state = {
    none: every === null ? undefined : botText(translator)('remind.repeats'),
    'channel-gone': botText(translator)('remind.channelGone'),
    forbidden: botText(translator)('remind.forbidden'),
  }[failure ?? 'none'];
  // Discord shows the time in the reader's time zone.
  const when = `<t:${Math.floor(dueAt / 1_000)}:f>`;
  const shown = code(shorten(text.replaceAll(/\s+/gu, ' '), SHOWN_CODE_POINTS));
  const reminder = `#${id} ${when} <#${channelId}> ${shown}`;
  return state === undefined ? reminder : translator.shared('noted', { text: reminder, note: state });
}
