import { action } from '../../framework/command.ts';
import { nameOf } from '../../framework/command-texts.ts';
import { requireBeta, requireFeature } from '../../framework/guards.ts';
import { named, phrase, rest } from '../../framework/options.ts';
import { code, Refusal } from '../../i18n/text.ts';
import type { Language } from '../../i18n/translator.ts';
import { nextOf } from '../../reminders/moments.ts';
import { parseSpan, parseTime } from '../../reminders/parse-when.ts';
import type { Recurrence } from '../../reminders/reminder-schema.ts';
import { addReminder, MAX_TEXT_CODE_POINTS, timeZoneOf } from './add-reminder.ts';

const DAY_MINUTES = 24 * 60;

const MIN_INTERVAL_MINUTES = 10;
const MAX_INTERVAL_MINUTES = 366 * DAY_MINUTES;

export const every = action({
  options: {
    interval: phrase(100, (words, language) => parseInterval(words, language) !== undefined),
    text: rest(MAX_TEXT_CODE_POINTS),
    timezone: named(64),
  },
  isBeta: true,
  guard(invocation) {
    requireFeature(invocation, 'reminders');
    requireBeta(invocation, nameOf(invocation, ['remind', 'every']));
  },
  async run({ invocation, options, services }) {
    const { translator } = invocation;
    const timeZone = timeZoneOf(options.timezone, invocation);
    const recurrence = parseInterval(options.interval, translator.language);
    if (recurrence === undefined) {
      const examples = translator.list(['2h', '1d', '09:00'].map(code));
      const minimum = translator.duration(MIN_INTERVAL_MINUTES * 60_000);
      throw new Refusal(translator.t('remind.badInterval', { input: code(options.interval), examples, minimum }));
    }
    const now = services.clock();
    const dueAt = nextOf(recurrence, now, now, timeZone);
    const reminder = { text: options.text, dueAt, timeZone, every: recurrence };
    const { id } = await addReminder(reminder, { invocation, services });
    const moment = translator.moment(dueAt, timeZone);
    return translator.t('remind.addedEvery', { id, relative: translator.relative(dueAt - now), moment });
  },
});

function parseInterval(typed: string, language: Language): Recurrence | undefined {
  const time = parseTime(typed, language);
  if (time !== undefined) return { kind: 'daily', hour: time.hour, minute: time.minute };
  const span = parseSpan(typed, language);
  if (span === undefined) return undefined;
  const minutes = span.days * DAY_MINUTES + Math.floor(span.seconds / 60);
  return minutes >= MIN_INTERVAL_MINUTES && minutes <= MAX_INTERVAL_MINUTES ? { kind: 'interval', minutes } : undefined;
}
