import { folded, type Setting, textIn } from '@guild-settings/contract/settings';
import { fieldLabel } from '@guild-settings/i18n';
import { nearest } from '../i18n/nearest.ts';
import { wordFor } from '../i18n/text.ts';
import type { Translator } from '../i18n/translator.ts';

/** Returns the setting that a person has named: by its field, its name, the word for it or its label; undefined: there is none. */
export function findSetting(typed: string, translator: Translator): Setting | undefined {
  const { all, byField } = translator.settings;
  const wanted = folded(typed.trim());
  const isNamed = (names: readonly string[]) => names.some((name) => folded(name) === wanted);
  return byField.get(typed) ?? all.find((one) => isNamed(typedNames(one, translator))) ?? byLabel(isNamed, translator);
}

/** Returns the name or label of a setting that a person may have meant; undefined: none is similar. */
export function similarSetting(typed: string, translator: Translator): string | undefined {
  const names = translator.settings.all.flatMap((one) => [
    ...typedNames(one, translator).toReversed(),
    settingLabel(one, translator),
  ]);
  return nearest(typed, names);
}

function byLabel(isNamed: (names: readonly string[]) => boolean, translator: Translator): Setting | undefined {
  const found = translator.settings.all.filter((one) => isNamed([settingLabel(one, translator)]));
  return found.length === 1 ? found[0] : undefined;
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
