import type { ServedAccessList } from '@guild-settings/contract';
import { code, Refusal } from '../i18n/text.ts';
import type { Translator } from '../i18n/translator.ts';
import { failureText } from './change-settings.ts';
import { pageLines } from './page-lines.ts';
import { requirePermission } from './require-permission.ts';
import { action } from './services.ts';

/** Shows who besides managers has access to the settings, as mentions without a notification. */
export const access = action({
  options: {},
  guard: requirePermission,
  isPrivate: true,
  async run({ invocation, pass, services }) {
    const read = await services.access(pass);
    if (read.kind !== 'result') throw new Refusal(failureText(read, invocation, 'show'));
    const { t } = invocation.translator;
    const lines = levelLines(read.result.entries, invocation.translator);
    const entries = lines.length > 0 ? lines : [t('access.nobody')];
    return [t('access.title'), ...entries, t('access.onPage'), ...pageLines(invocation, services)].join('\n');
  },
});

/** Returns a line per level, which is shorter than a line per entry: 50 entries fit into a message. */
function levelLines(entries: ServedAccessList['entries'], translator: Translator): string[] {
  const levels = [...new Set(entries.map(({ level }) => level))];
  return levels.map((level) => {
    const mentions = entries.filter((entry) => entry.level === level).map(({ subject }) => mentionOf(subject));
    return translator.shared('labelled', {
      label: `**${levelText(level, translator)}**`,
      value: translator.list(mentions),
    });
  });
}

/** A level of a newer service is text that it sent. */
function levelText(level: string, { shared }: Translator): string {
  return level === 'editor' || level === 'viewer' ? shared(`value.${level}`) : code(level);
}

function mentionOf(subject: string): string {
  const [kind, id] = subject.split(':');
  return kind === 'role' ? `<@&${id}>` : `<@${id}>`;
}
