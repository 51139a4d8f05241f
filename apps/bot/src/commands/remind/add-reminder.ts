import { nameOf } from '../../framework/command-texts.ts';
import type { Invocation } from '../../framework/invocation.ts';
import type { Services } from '../../framework/services.ts';
import { Refusal } from '../../i18n/refusal.ts';
import { code } from '../../i18n/text.ts';
import { isTimeZone } from '../../reminders/moments.ts';
import { MOST_REMINDERS, type Reminder } from '../../reminders/reminders.ts';

/** Code points of a reminder's text: Discord's limit for a message, less what stands around it. */
export const MAX_TEXT = 1_500;

/** Until people say where they live. */
const USUAL_ZONE = 'UTC';

/**
 * The time zone that somebody named.
 * @throws Refusal when there is no such one
 */
export function timeZoneOf(typed: string | undefined, { translator }: Invocation): string {
  const zone = typed ?? USUAL_ZONE;
  if (isTimeZone(zone)) return zone;
  const examples = translator.list(['Europe/Madrid', 'Asia/Kolkata'].map(code));
  throw new Refusal(translator.t('remind.badZone', { zone: code(zone), examples }));
}

/**
 * Keeps a reminder for the person and the channel of the invocation.
 * @throws Refusal when the person or the bot may not write there, or the person has as many as they may
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
    throw new Refusal(translator.t('remind.tooMany', { count: MOST_REMINDERS, command }));
  }
  return added;
}
