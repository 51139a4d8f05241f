import { commaList, fieldLabel } from '@guild-settings/i18n';
import { SCALAR_FIELDS, switchedFeatures } from '../draft/fields.ts';
import type { SettingsContextValue } from './settings-context.ts';
import { type ValueWords, valueText } from './value-text.ts';

/** Returns what a draft changes, as one line for each setting. */
export function changesText({ changes, settings, theirs }: SettingsContextValue['draft'], words: ValueWords): string[] {
  const { t, shared, language } = words;
  const lines = SCALAR_FIELDS.filter((field) => Object.hasOwn(changes, field)).map((field) =>
    shared('changed', {
      field: fieldLabel(field, words),
      from: valueText(field, theirs.settings, words),
      to: valueText(field, settings, words),
    }),
  );
  if (changes.enabledFeatures === undefined) return lines;
  const switched = [...switchedFeatures(theirs.settings.enabledFeatures, changes.enabledFeatures)];
  const namesOf = (isOn: boolean) => switched.filter(([, on]) => on === isOn).map(([id]) => words.featureText(id));
  const parts = [
    ...(namesOf(true).length > 0 ? [t('bar.switchedOn', { names: commaList(namesOf(true), language) })] : []),
    ...(namesOf(false).length > 0 ? [t('bar.switchedOff', { names: commaList(namesOf(false), language) })] : []),
  ];
  return [...lines, `${fieldLabel('enabledFeatures', words)}: ${parts.join('; ')}`];
}
