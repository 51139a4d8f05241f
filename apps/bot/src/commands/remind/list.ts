import { shorten } from '@guild-settings/i18n';
import { action } from '../../framework/command.ts';
import { requireFeature } from '../../framework/guards.ts';
import { code } from '../../i18n/text.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Reminder } from '../../reminders/reminders.ts';

/** Code points of each text in the list: the most reminders of a user fit into one message. */
const SHOWN_CODE_POINTS = 20;

export const list = action({
  options: {},
  guard: (invocation) => requireFeature(invocation, 'reminders'),
  isPrivate: true,
  run({ invocation: { guildId, userId, translator }, services: { reminders } }) {
    const held = reminders.of(guildId, userId);
    if (held.length === 0) return translator.t('remind.none');
    return [
      translator.t('remind.title', { count: held.length }),
      ...held.map((reminder) => line(reminder, translator)),
    ].join('\n');
  },
});

function line({ id, dueAt, channelId, text, every, failure }: Reminder, translator: Translator): string {
  const state = {
    none: every === null ? undefined : translator.t('remind.repeats'),
    'channel-gone': translator.t('remind.channelGone'),
    forbidden: translator.t('remind.forbidden'),
  }[failure ?? 'none'];
  // Discord shows the time in the reader's time zone.
  const when = `<t:${Math.floor(dueAt / 1_000)}:f>`;
  return [
    `#${id}`,
    when,
    `<#${channelId}>`,
    code(shorten(text.replaceAll(/\s+/gu, ' '), SHOWN_CODE_POINTS)),
    ...(state === undefined ? [] : [`(${state})`]),
  ].join(' ');
}
