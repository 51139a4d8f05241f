import { named, type Setting, textIn } from '@guild-settings/contract/settings';
import { fieldLabel } from '@guild-settings/i18n';
import { nearest } from '../i18n/nearest.ts';
import { LOCK, ordered, wordFor } from '../i18n/text.ts';
import type { Translator } from '../i18n/translator.ts';

/**
 * Returns the setting that a person has named: by its field, its name, the word for it, its label, or as it is suggested; undefined:
 * there is none.
 */
export function findSetting(typed: string, translator: Translator): Setting | undefined {
  const { all, byField } = translator.settings;
  const wanted = typed.trim();
  const known = byField.get(wanted) ?? all.find((one) => typedNames(one, translator).includes(wanted));
  if (known !== undefined) return known;
  const byNames = (namesOf: (one: Setting) => readonly string[]) => {
    const [found, other] = named(wanted, all, namesOf);
    return other === undefined ? found : undefined;
  };
  return (
    byNames((one) => typedNames(one, translator)) ??
    byNames((one) => [settingLabel(one, translator)]) ??
    byNames((one) => suggestedNames(one, translator))
  );
}

/** Returns the name or label of a setting that a person may have meant; undefined: none is similar. */
export function similarSetting(typed: string, translator: Translator): string | undefined {
  const names = translator.settings.all.flatMap((one) => [
    ...typedNames(one, translator).toReversed(),
    settingLabel(one, translator),
  ]);
  return nearest(typed, names);
}

/** Returns a label with that of its group, as a setting is suggested. */
export function fullLabel(setting: Setting, translator: Translator): string {
  const group = groupLabel(setting, translator);
  return [...(group === undefined ? [] : [group]), settingLabel(setting, translator)].join(' · ');
}

function suggestedNames(setting: Setting, translator: Translator): string[] {
  const label = fullLabel(setting, translator);
  return [label, LOCK + label].map(ordered);
}

export function settingLabel({ name, place, field, declared }: Setting, translator: Translator): string {
  return place === 'record' ? fieldLabel(field, translator) : (textIn(declared.label, translator.language) ?? name);
}

export function typedNames({ name, place, field }: Setting, { language }: Translator): string[] {
  return place === 'custom' ? [name, field] : [name, wordFor('en-US', name), wordFor(language, name)];
}

export function groupLabel({ declared }: Setting, { settings, language }: Translator): string | undefined {
  const { groups = {} } = settings.declaration ?? {};
  const { group = '' } = declared;
  return Object.hasOwn(groups, group) ? (textIn(groups[group]?.label, language) ?? group) : undefined;
}
