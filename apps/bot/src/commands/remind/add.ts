import { momentOf } from '../../reminders/moments.ts';
import { parseWhen } from '../../reminders/parse-when.ts';
import { action } from '../command.ts';
import { code } from '../command-texts.ts';
import { requireReminders } from '../guards.ts';
import type { Invocation } from '../invocation.ts';
import { named, phrase, rest } from '../options.ts';
import { Refusal } from '../refusal.ts';
import { addReminder, MAX_TEXT, timeZoneOf } from './add-reminder.ts';

/** How far ahead a reminder may be, in years and in milliseconds. */
const YEARS = 5;
const FURTHEST = YEARS * 366 * 86_400_000;

/** Reminds once. */
export const add = action({
  options: {
    when: phrase(100, (words, language) => parseWhen(words, language) !== undefined),
    text: rest(MAX_TEXT),
    timezone: named(64),
  },
  guard: requireReminders,
  async run({ invocation, options, services }) {
    const timeZone = timeZoneOf(options.timezone, invocation);
    const now = services.clock();
    const dueAt = dueAtOf(options.when, { invocation, timeZone, now });
    const { id } = await addReminder({ text: options.text, dueAt, timeZone, every: null }, { invocation, services });
    const { speech } = invocation;
    return speech.t('remind.added', {
      id,
      relative: speech.relative(dueAt - now),
      moment: speech.moment(dueAt, timeZone),
    });
  },
});

interface Here {
  readonly invocation: Invocation;
  readonly timeZone: string;
  readonly now: number;
}

function dueAtOf(typed: string, { invocation: { speech }, timeZone, now }: Here): number {
  const when = parseWhen(typed, speech.language);
  if (when === undefined) {
    const examples = ['10m', '18:00', '2026-12-24 18:00'].map(code);
    throw new Refusal(speech.t('remind.unreadable', { input: code(typed), examples: speech.list(examples) }));
  }
  const dueAt = momentOf(when, now, timeZone);
  if (dueAt <= now) throw new Refusal(speech.t('remind.past', { moment: speech.moment(dueAt, timeZone) }));
  if (dueAt > now + FURTHEST) throw new Refusal(speech.t('remind.tooFar', { count: YEARS }));
  return dueAt;
}
