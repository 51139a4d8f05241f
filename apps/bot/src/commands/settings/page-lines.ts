import type { Services } from '../../framework/command.ts';
import type { Invocation } from '../../framework/invocation.ts';

/** Returns the line of a reply that links the page of the guild; none where the bot does not know its address. */
export function pageLines(
  { guildId, translator }: Pick<Invocation, 'guildId' | 'translator'>,
  { pageOf }: Pick<Services, 'pageOf'>,
): string[] {
  const page = pageOf(guildId);
  // Without the brackets, Discord would show a preview of the page.
  return page === undefined ? [] : [translator.t('settings.onPage', { url: `<${page}>` })];
}
