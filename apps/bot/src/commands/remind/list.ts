import type { Reminder } from '../../reminders/reminders.ts';
import type { Speech } from '../../speech/speech.ts';
import { action } from '../command.ts';
import { code } from '../command-texts.ts';
import { requireReminders } from '../guards.ts';

/** Code points of a reminder's text that the list shows: all of them fit into a message. */
const SHOWN_TEXT = 20;

/** A person's reminders in a guild, the next one first. */
export const list = action({
  options: {},
  guard: requireReminders,
  isPrivate: true,
  run({ invocation: { guildId, userId, speech }, services: { reminders } }) {
    const held = reminders.of(guildId, userId);
    if (held.length === 0) return speech.t('remind.none');
    return [speech.t('remind.title', { count: held.length }), ...held.map((reminder) => line(reminder, speech))].join(
      '\n',
    );
  },
});

function line({ id, dueAt, channelId, text, every, failure }: Reminder, speech: Speech): string {
  const state = {
    none: every === null ? undefined : speech.t('remind.repeats'),
    'channel-gone': speech.t('remind.channelGone'),
    forbidden: speech.t('remind.forbidden'),
  }[failure ?? 'none'];
  // Discord shows it in the reader's own time zone.
  const when = `<t:${Math.floor(dueAt / 1_000)}:f>`;
  return [
    `#${id}`,
    when,
    `<#${channelId}>`,
    code(shortened(text)),
    ...(state === undefined ? [] : [`(${state})`]),
  ].join(' ');
}

function shortened(text: string): string {
  const [...letters] = text.replaceAll(/\s+/gu, ' ');
  return letters.length > SHOWN_TEXT ? `${letters.slice(0, SHOWN_TEXT - 1).join('')}…` : letters.join('');
}
