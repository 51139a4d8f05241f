import { listDifference, valueIn } from '@guild-settings/contract/settings';
import { commaList, fieldLabel } from '@guild-settings/i18n';
import { FEATURES, type Field, featuresIn, valueIn as valueInRecord } from '../draft/fields.ts';
import { inOrderOfPage } from './sections.ts';
import type { useWholeDraft } from './settings-context.ts';
import { type ValueWords, valueText } from './value-text.ts';

/** Returns what a draft changes, as one line for each setting. Two of them may have the same label, and the same line. */
export function changesText(
  { changes, settings, theirs }: ReturnType<typeof useWholeDraft>,
  words: ValueWords,
): { readonly field: Field; readonly text: string }[] {
  const { t, shared, language } = words;
  const namesOf = (names: readonly unknown[]) =>
    commaList(
      names.map((name) => words.featureText(String(name))),
      language,
    );
  return inOrderOfPage(words.settings)
    .filter((setting) => valueIn(changes, setting) !== undefined)
    .map((setting) => {
      const field = fieldLabel(setting.field, words);
      if (setting.field !== FEATURES.field) {
        const [from, to] = [theirs.settings, settings].map((record) =>
          valueText(setting, valueInRecord(record, setting.field), words),
        );
        return { field: setting.field, text: shared('changed', { field, from, to }) };
      }
      const { added = [], removed = [] } = listDifference(featuresIn(theirs.settings), featuresIn(changes)) ?? {};
      const parts = [
        ...(added.length > 0 ? [t('bar.switchedOn', { names: namesOf(added) })] : []),
        ...(removed.length > 0 ? [t('bar.switchedOff', { names: namesOf(removed) })] : []),
      ];
      return { field: setting.field, text: `${field}: ${parts.join('; ')}` };
    });
}
