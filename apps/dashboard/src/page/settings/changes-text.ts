import { listDifference, valueIn } from '@guild-settings/contract/settings';
import { commaList, fieldLabel } from '@guild-settings/i18n';
import { FEATURES, featuresIn, SETTINGS } from '../draft/fields.ts';
import type { SettingsContextValue } from './settings-context.ts';
import { type ValueWords, valueText } from './value-text.ts';

/** Returns what a draft changes, as one line for each setting. */
export function changesText({ changes, settings, theirs }: SettingsContextValue['draft'], words: ValueWords): string[] {
  const { t, shared, language } = words;
  const namesOf = (names: readonly unknown[]) =>
    commaList(
      names.map((name) => words.featureText(String(name))),
      language,
    );
  return SETTINGS.filter((setting) => valueIn(changes, setting) !== undefined).map((setting) => {
    const field = fieldLabel(setting.field, words);
    if (setting !== FEATURES) {
      const [from, to] = [theirs.settings, settings].map((record) => valueText(setting, record, words));
      return shared('changed', { field, from, to });
    }
    const { added = [], removed = [] } = listDifference(featuresIn(theirs.settings), featuresIn(changes)) ?? {};
    const parts = [
      ...(added.length > 0 ? [t('bar.switchedOn', { names: namesOf(added) })] : []),
      ...(removed.length > 0 ? [t('bar.switchedOff', { names: namesOf(removed) })] : []),
    ];
    return `${field}: ${parts.join('; ')}`;
  });
}
