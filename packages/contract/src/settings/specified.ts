import { LANGUAGES, type Language } from '../languages.ts';
import { LIMITS } from '../limits.ts';
import type { ReservedOptions } from './kinds/kind.ts';
import type { SettingDeclaration, Texts, ValueOf } from './setting-declaration.ts';

/** The languages as choices. Their names are those of `Intl.DisplayNames`. */
const LANGUAGE_CHOICES = Object.fromEntries(LANGUAGES.map((language) => [language, {}])) as Readonly<
  Record<Language, Texts>
>;

/**
 * The settings of the specification, in the order of the record. Their labels in all languages are in packages/i18n; the
 * descriptions here are those of the OpenAPI document.
 */
export const SPECIFIED = {
  prefix: {
    kind: 'text',
    max: LIMITS.prefix,
    default: '!',
    noLeadingSpace: true,
    noInvisible: true,
    label: { 'en-US': 'Prefix' },
    description: { 'en-US': 'Command prefix. Empty switches prefix commands off.' },
    examples: ['!', '?'],
  },
  announcement_channel: {
    kind: 'channel',
    anyText: 100,
    default: '',
    label: { 'en-US': 'Channel for announcements' },
    description: { 'en-US': 'Channel identifier for announcements. Empty means none.' },
    examples: ['381870553235193857', ''],
  },
  beta: {
    kind: 'switch',
    default: false,
    label: { 'en-US': 'Beta features' },
    description: { 'en-US': 'Whether beta features are on.' },
    examples: [false],
  },
  language: {
    kind: 'choice',
    choices: LANGUAGE_CHOICES,
    default: 'en-US',
    label: { 'en-US': 'Language' },
    description: { 'en-US': "The language of the bot's replies." },
    examples: ['en-US'],
  },
  enabledFeatures: {
    kind: 'choice',
    choices: {},
    many: { max: LIMITS.features },
    open: LIMITS.featureName,
    noInvisible: true,
    default: [],
    label: { 'en-US': 'Features' },
    description: {
      'en-US': 'Names of enabled features. Replaced entirely on PATCH; duplicates are dropped, the order is kept.',
    },
    examples: [['reminders']],
  },
} as const satisfies Readonly<Record<string, SettingDeclaration & ReservedOptions>>;

export type SpecifiedValues = { [Name in keyof typeof SPECIFIED]: Mutable<ValueOf<(typeof SPECIFIED)[Name]>> };

type Mutable<Value> = Value extends readonly (infer Item)[] ? Item[] : Value;

/** The fields that a change can contain, in the order of the record. */
export const CHANGED_FIELDS = [
  ...(Object.keys(SPECIFIED) as (keyof typeof SPECIFIED)[]),
  'name',
  'icon',
  'presence',
  'access',
] as const;
