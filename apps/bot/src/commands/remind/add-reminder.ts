import type { Services } from '../../framework/command.ts';
import { nameOf } from '../../framework/command-texts.ts';
import type { Invocation } from '../../framework/invocation.ts';
import { code, Refusal } from '../../i18n/text.ts';
import { isTimeZone } from '../../reminders/moments.ts';
import { MAX_REMINDERS, type Reminder } from '../../reminders/reminders.ts';

/** Limit of a reminder's text in code points: Discord's limit for a message, minus the lines around the text. */
export const MAX_TEXT_CODE_POINTS = 1_500;

const DEFAULT_TIME_ZONE = 'UTC';

export function timeZoneOf(typed: string | undefined, { translator }: Invocation): string {
  const zone = typed ?? DEFAULT_TIME_ZONE;
  if (isTimeZone(zone)) return zone;
  const examples = translator.list(['Europe/Madrid', 'Asia/Kolkata'].map(code));
  throw new Refusal(translator.t('remind.badZone', { zone: code(zone), examples }));
}

/**
 * Stores a reminder for the user and the channel of the invocation.
 * @throws Refusal when the user or the bot may not write there, or the user has the most reminders
 */
export async function addReminder(
  reminder: Pick<Reminder, 'text' | 'dueAt' | 'timeZone' | 'every'>,
  { invocation, services }: { readonly invocation: Invocation; readonly services: Services },
): Promise<Reminder> {
  const { guildId, channelId, userId, mayWrite, settings, translator } = invocation;
  if (!mayWrite) throw new Refusal(translator.t('channel.notYours', { channel: `<#${channelId}>` }));
  if ((await services.channels.stateOf(guildId, channelId)) !== 'writable') {
    throw new Refusal(translator.t('channel.unwritable', { channel: `<#${channelId}>` }));
  }
  const added = services.reminders.add({
    ...reminder,
    guildId,
    channelId,
    userId,
    language: settings.language,
    createdAt: services.clock(),
  });
  if (added === undefined) {
    const command = nameOf(invocation, ['remind', 'cancel']);
    throw new Refusal(translator.t('remind.tooMany', { count: MAX_REMINDERS, command }));
  }
  return added;
}
