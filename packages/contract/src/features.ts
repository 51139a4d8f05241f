import type { Language } from './languages.ts';

/** A feature that managers can enable, with texts for people. */
export interface Feature {
  readonly name: string;
  /** True: the feature has no effect unless beta features are on. */
  readonly beta: boolean;
  readonly names: Readonly<Record<Language, string>>;
  readonly descriptions: Readonly<Record<Language, string>>;
}

/**
 * The features of the bot. The service publishes this list, and the bot uses it. A guild may have other features
 * enabled, known to a later or another bot. This module imports no code, so that pages can use it.
 */
export const FEATURES = [
  {
    name: 'reminders',
    beta: false,
    names: {
      'en-US': 'Reminders',
      hi: 'रिमाइंडर',
      ru: 'Напоминания',
      ja: 'リマインダー',
      'es-ES': 'Recordatorios',
    },
    descriptions: {
      'en-US':
        'Members have the bot remind them at a time they choose. Repeating reminders also need beta features to be on.',
      hi: 'मेंबर अपने चुने हुए समय पर बॉट से याद दिलवा सकते हैं। बार-बार आने वाले रिमाइंडर के लिए बीटा फ़ीचर भी चालू होने चाहिए।',
      ru: 'Бот напоминает участникам о делах в выбранное ими время. Для регулярных напоминаний нужно включить ещё и бета-функции.',
      ja: 'メンバーが指定した日時に、ボットがリマインドします。繰り返しのリマインダーには、ベータ機能もオンにする必要があります。',
      'es-ES':
        'El bot recuerda a los miembros lo que le pidan, cuando elijan. Los recordatorios periódicos necesitan también las funciones beta.',
    },
  },
] as const satisfies readonly Feature[];

export type KnownFeature = (typeof FEATURES)[number]['name'];

export function featureNamed(name: KnownFeature): Feature;
export function featureNamed(name: string): Feature | undefined {
  return FEATURES.find((feature) => feature.name === name);
}
