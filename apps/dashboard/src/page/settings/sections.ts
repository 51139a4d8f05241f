import {
  type DeclaredSettings,
  listDifference,
  type Setting,
  textIn,
  valueIn,
} from '@guild-settings/contract/settings';
import { commaList, fieldLabel } from '@guild-settings/i18n';
import { FEATURES, type Field, featuresIn, isFeatures, valueIn as valueInRecord } from '../draft/fields.ts';
import type { useWholeDraft } from './settings-context.ts';
import { type ValueWords, valueText } from './value-text.ts';

export interface Section {
  readonly id: string;
  readonly heading?: string;
  readonly description?: string | undefined;
  /** The switch that dims the settings while it is off. */
  readonly enabledBy?: Setting | undefined;
  readonly settings: readonly Setting[];
}

/** Controls in the order of the page: what is typed or chosen, then what is switched. */
const ORDER: readonly string[] = ['text', 'number', 'duration', 'choice', 'channel', 'role', 'switch'];

/** Returns the specified settings in the order of the page, then those of a team in its order, and the features last. */
export function inOrderOfPage({ all }: DeclaredSettings): readonly Setting[] {
  return [...all].sort((one, other) => placeOf(one) - placeOf(other));
}

function placeOf(setting: Setting): number {
  if (isFeatures(setting)) return ORDER.length + 1;
  return setting.place === 'custom' ? ORDER.length : ORDER.indexOf(setting.kind.control);
}

/** Returns the sections of the page: the groups of a team, and around them the settings without one, and the features. */
export function sectionsOf({ settings: declared, t, language }: ValueWords): readonly Section[] {
  const all = inOrderOfPage(declared);
  if (declared.custom === undefined) {
    const isSwitched = (setting: Setting) => isFeatures(setting) || setting.kind.control === 'switch';
    return [
      { id: 'chosen', settings: all.filter((setting) => !isSwitched(setting)) },
      { id: 'switched', settings: all.filter(isSwitched) },
    ];
  }
  const groups = declared.declaration?.groups ?? {};
  const groupOf = ({ declared: { group = '' } }: Setting) => (Object.hasOwn(groups, group) ? group : undefined);
  const sections: Section[] = [
    {
      id: 'general',
      heading: t('sections.general'),
      settings: all.filter((setting) => !isFeatures(setting) && groupOf(setting) === undefined),
    },
    ...Object.entries(groups).map(([name, { label, description, enabledBy }]) => ({
      id: `group-${name}`,
      heading: textIn(label, language) ?? name,
      description: textIn(description, language),
      enabledBy: enabledBy === undefined ? undefined : declared.byField.get(`custom.${enabledBy}`),
      settings: all.filter((setting) => groupOf(setting) === name),
    })),
    { id: 'features', settings: all.filter(isFeatures) },
  ];
  return sections.filter(({ settings }) => settings.length > 0);
}

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
