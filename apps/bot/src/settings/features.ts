import { FEATURES } from '@guild-settings/contract';
import { type Setting, SPECIFIED_SETTINGS, type Texts, textIn } from '@guild-settings/contract/settings';
import type { Translator } from '../i18n/translator.ts';

export const FEATURE_LIST = SPECIFIED_SETTINGS.byField.get('enabledFeatures') as Setting;

/** Returns the features of the deployment, by their names, with what people call them. */
export function featuresOf({ settings }: Pick<Translator, 'settings'>): Readonly<Record<string, Texts>> {
  const declared = Object.entries(settings.declaration?.features ?? {});
  if (declared.length > 0) return Object.fromEntries(declared.map(([name, { label }]) => [name, label]));
  return Object.fromEntries(FEATURES.map(({ name, names }) => [name, names]));
}

/** Returns what people call a feature; undefined: the deployment does not have it. */
export function featureLabel(name: string, translator: Pick<Translator, 'settings' | 'language'>): string | undefined {
  const features = featuresOf(translator);
  return Object.hasOwn(features, name) ? textIn(features[name], translator.language) : undefined;
}
