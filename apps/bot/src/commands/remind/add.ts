import { Ambiguous, plainDigits } from '@guild-settings/contract/settings';
import {
  code,
  type Invocation,
  named,
  nameOf,
  phrase,
  Refusal,
  rest,
  suggestZones,
  type Translator,
  withOneMeaning,
  zoneOf,
} from '@guild-settings/discord/framework';
import { shorten, timeZoneIn } from '@guild-settings/i18n';
import { requireBeta, requireFeature } from '../../commands/guards.ts';
import { action, type BotTyping, type Services } from '../../commands/services.ts';
import { botText } from '../../i18n/bot-text.ts';
import { isTimeZone, momentOf, nextOf } from '../../reminders/moments.ts';
import { parseSpan, parseTime, parseWhen, type Span } from '../../reminders/parse-when.ts';
import type { Recurrence } from '../../reminders/reminder-schema.ts';
import { MAX_REMINDERS, type Reminder } from '../../reminders/reminders.ts';

/** Limit of a reminder's text in code points: Discord's limit for a message, minus the lines around the text. */
const MAX_TEXT_CODE_POINTS = 1_500;

const MAX_YEARS = 5;
const MAX_AHEAD_MS = MAX_YEARS * 366 * 86_400_000;

const TIME_ZONE = named(100, (words) => timeZoneIn(words) !== undefined);

const SUGGEST = {
  timezone: ({ typed, translator, services }: BotTyping) => suggestZones(typed, translator, services.clock()),
};

export const add = action({
  options: {
    when: phrase(100, (words, language) => parseWhen(words, language) !== undefined),
    text: rest(MAX_TEXT_CODE_POINTS),
    timezone: TIME_ZONE,
  },
  suggest: SUGGEST,
  guard: (invocation) => requireFeature(invocation, 'reminders'),
  async run({ invocation, options, services }) {
    const timeZone = timeZoneOf(options.timezone, invocation);
    const now = services.clock();
    const { dueAt, ahead } = dueAtOf(options.when, { invocation, timeZone, now });
    const { id } = await addReminder({ text: options.text, dueAt, timeZone, every: null }, { invocation, services });
    const { translator } = invocation;
    return botText(translator)('remind.added', {
      id,
      relative: ahead ?? translator.relative(dueAt - now),
      moment: translator.moment(dueAt, timeZone),
    });
  },
});

interface Context {
  readonly invocation: Invocation;
  readonly timeZone: string;
  readonly now: number;
}

/** Returns the typed time in milliseconds since 1970, and for a typed span, how far ahead it is. */
function dueAtOf(typed: string, { invocation: { translator }, timeZone, now }: Context) {
  const when = withOneMeaning(parseWhen(typed, translator.language), translator);
  if (when === undefined) {
    const examples = ['10m', '18:00', '2026-12-24 18:00'].map(code);
    throw new Refusal(
      botText(translator)('remind.unreadable', { input: code(typed), examples: translator.list(examples) }),
    );
  }
  const dueAt = momentOf(when, now, timeZone);
  if (dueAt <= now)
    throw new Refusal(botText(translator)('remind.past', { moment: translator.moment(dueAt, timeZone) }));
  if (dueAt > now + MAX_AHEAD_MS) throw new Refusal(botText(translator)('remind.tooFar', { count: MAX_YEARS }));
  return { dueAt, ahead: when.kind === 'ahead' ? exactly(when.span, translator) : undefined };
}

/** Formats a span in all of its units. A day is one, even with a daylight saving change. */
function exactly({ days, seconds }: Span, translator: Translator): string {
  return translator.relative((days * DAY_MINUTES * 60 + seconds) * 1_000, Number.POSITIVE_INFINITY);
}

const DAY_MINUTES = 24 * 60;

const MIN_INTERVAL_MINUTES = 10;
const MAX_INTERVAL_MINUTES = 366 * DAY_MINUTES;

export const every = action({
  options: {
    interval: phrase(100, (words, language) => parseInterval(words, language) !== undefined),
    text: rest(MAX_TEXT_CODE_POINTS),
    timezone: TIME_ZONE,
  },
  suggest: SUGGEST,
  isBeta: true,
  guard(invocation) {
    requireFeature(invocation, 'reminders');
    requireBeta(invocation, nameOf(invocation, ['remind', 'every']));
  },
  async run({ invocation, options, services }) {
    const { translator } = invocation;
    const timeZone = timeZoneOf(options.timezone, invocation);
    const recurrence = withOneMeaning(parseInterval(options.interval, translator.language), translator);
    if (recurrence === undefined) {
      const examples = translator.list(['2h', '1d', '09:00'].map(code));
      const minimum = translator.duration(MIN_INTERVAL_MINUTES * 60_000);
      throw new Refusal(
        botText(translator)('remind.badInterval', { input: code(options.interval), examples, minimum }),
      );
    }
    const now = services.clock();
    const dueAt = nextOf(recurrence, now, now, timeZone);
    const reminder = { text: options.text, dueAt, timeZone, every: recurrence };
    const { id } = await addReminder(reminder, { invocation, services });
    const moment = translator.moment(dueAt, timeZone);
    const relative =
      recurrence.kind === 'interval'
        ? exactly({ days: 0, seconds: recurrence.minutes * 60 }, translator)
        : translator.relative(dueAt - now);
    return botText(translator)('remind.addedEvery', { id, relative, moment });
  },
});

function parseInterval(typed: string, language: string): Recurrence | Ambiguous | undefined {
  const time = parseTime(typed, language);
  if (time !== undefined) return { kind: 'daily', hour: time.hour, minute: time.minute };
  const span = parseSpan(typed, language);
  if (span === undefined || span instanceof Ambiguous) return span;
  const minutes = span.days * DAY_MINUTES + Math.floor(span.seconds / 60);
  return minutes >= MIN_INTERVAL_MINUTES && minutes <= MAX_INTERVAL_MINUTES ? { kind: 'interval', minutes } : undefined;
}

const DEFAULT_TIME_ZONE = 'UTC';

function timeZoneOf(typed: string | undefined, { translator }: Invocation): string {
  if (typed === undefined) return DEFAULT_TIME_ZONE;
  const text = zoneOf(typed);
  const read = timeZoneIn(text);
  // Zones with the typed offset are equivalent here.
  const isOffset = read instanceof Ambiguous && /\d/.test(plainDigits(text));
  const zone = isOffset ? read.meanings[0] : withOneMeaning(read, translator);
  if (zone !== undefined && isTimeZone(zone)) return zone;
  const examples = translator.list(['Europe/Madrid', 'Asia/Kolkata'].map(code));
  throw new Refusal(botText(translator)('remind.badZone', { zone: code(shorten(typed)), examples }));
}

/**
 * Stores a reminder for the user and the channel of the invocation.
 * @throws Refusal when the user or the bot may not write there, or the user has reached the maximum
 */
async function addReminder(
  reminder: Pick<Reminder, 'text' | 'dueAt' | 'timeZone' | 'every'>,
  { invocation, services }: { readonly invocation: Invocation; readonly services: Services },
): Promise<Reminder> {
  const { guildId, channelId, userId, mayWrite, settings, translator } = invocation;
  if (!mayWrite) throw new Refusal(botText(translator)('channel.notYours', { channel: `<#${channelId}>` }));
  if ((await services.channels.stateOf(guildId, channelId)) !== 'writable') {
    throw new Refusal(botText(translator)('channel.unwritable', { channel: `<#${channelId}>` }));
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
    throw new Refusal(botText(translator)('remind.tooMany', { count: MAX_REMINDERS, command }));
  }
  return added;
}
