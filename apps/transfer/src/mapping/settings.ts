import { LANGUAGES } from '@guild-settings/contract';

/** What a setting is: one value of a kind, or many of them. */
export type Setting =
  | { readonly kind: 'switch' }
  | { readonly kind: 'integer'; readonly many?: boolean }
  | { readonly kind: 'duration'; readonly many?: boolean }
  | { readonly kind: 'text'; readonly many?: boolean }
  | { readonly kind: 'channel'; readonly many?: boolean }
  | { readonly kind: 'role'; readonly many?: boolean }
  | {
      readonly kind: 'choice';
      readonly many?: boolean;
      /** The other names of each value. */
      readonly choices: Readonly<Record<string, readonly string[]>>;
    };

/** Settings by their names. */
export type Settings = Readonly<Record<string, Setting>>;

/** Values of settings by their names. */
export type SettingValues = Readonly<Record<string, unknown>>;

/** A value that cannot be taken. */
export interface RefusedValue {
  /** The name of the setting. */
  readonly field: string;
  readonly value: unknown;
  /** The setting, what was expected, and what was received. */
  readonly problem: string;
}

/** The settings of the specification. */
export const SPECIFIED_SETTINGS: Settings = {
  prefix: { kind: 'text' },
  announcement_channel: { kind: 'channel' },
  beta: { kind: 'switch' },
  language: { kind: 'choice', choices: Object.fromEntries(LANGUAGES.map((code) => [code, namesOf(code)])) },
  enabledFeatures: { kind: 'text', many: true },
};

/** Returns the code of a language without its country, and the names of the language in English and in itself. */
function namesOf(language: string): string[] {
  const [bare = language] = language.split('-');
  const names = ['en', language].flatMap((display) => {
    const namesIn = new Intl.DisplayNames(display, { type: 'language' });
    return [namesIn.of(bare), namesIn.of(language)];
  });
  return [bare, ...names.filter((name) => name !== undefined)];
}
