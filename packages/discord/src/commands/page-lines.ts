import type { Setting } from '@guild-settings/contract/settings';
import type { Invocation } from '../framework/invocation.ts';
import type { SettingsServices } from './services.ts';

/**
 * Returns the line of a reply that links to the guild's page; empty if the bot does not know its URL.
 * @param setting the setting that the page scrolls to
 */
export function pageLines(
  { guildId, translator }: Pick<Invocation, 'guildId' | 'translator'>,
  { pageOf }: Pick<SettingsServices, 'pageOf'>,
  setting?: Setting,
): string[] {
  const page = pageOf(guildId);
  const path = setting === undefined ? '' : `?setting=${setting.shownField}`;
  // Without the brackets, Discord would show a preview of the page.
  return page === undefined ? [] : [translator.t('settings.onPage', { url: `<${page}${path}>` })];
}
