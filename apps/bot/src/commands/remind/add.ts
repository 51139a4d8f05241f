import { action } from '../../framework/command.ts';
import { requireFeature } from '../../framework/guards.ts';
import type { Invocation } from '../../framework/invocation.ts';
import { named, phrase, rest } from '../../framework/options.ts';
import { code, Refusal } from '../../i18n/text.ts';
import { momentOf } from '../../reminders/moments.ts';
import { parseWhen } from '../../reminders/parse-when.ts';
import { addReminder, MAX_TEXT_CODE_POINTS, timeZoneOf } from './add-reminder.ts';

const MAX_YEARS = 5;
const MAX_AHEAD_MS = MAX_YEARS * 366 * 86_400_000;

export const add = action({
  options: {
    when: phrase(100, (words, language) => parseWhen(words, language) !== undefined),
    text: rest(MAX_TEXT_CODE_POINTS),
    timezone: named(64),
  },
  guard: (invocation) => requireFeature(invocation, 'reminders'),
  async run({ invocation, options, services }) {
    const timeZone = timeZoneOf(options.timezone, invocation);
    const now = services.clock();
    const dueAt = dueAtOf(options.when, { invocation, timeZone, now });
    const { id } = await addReminder({ text: options.text, dueAt, timeZone, every: null }, { invocation, services });
    const { translator } = invocation;
    return translator.t('remind.added', {
      id,
      relative: translator.relative(dueAt - now),
      moment: translator.moment(dueAt, timeZone),
    });
  },
});

interface Context {
  readonly invocation: Invocation;
  readonly timeZone: string;
  readonly now: number;
}

function dueAtOf(typed: string, { invocation: { translator }, timeZone, now }: Context): number {
  const when = parseWhen(typed, translator.language);
  if (when === undefined) {
    const examples = ['10m', '18:00', '2026-12-24 18:00'].map(code);
    throw new Refusal(translator.t('remind.unreadable', { input: code(typed), examples: translator.list(examples) }));
  }
  const dueAt = momentOf(when, now, timeZone);
  if (dueAt <= now) throw new Refusal(translator.t('remind.past', { moment: translator.moment(dueAt, timeZone) }));
  if (dueAt > now + MAX_AHEAD_MS) throw new Refusal(translator.t('remind.tooFar', { count: MAX_YEARS }));
  return dueAt;
}
