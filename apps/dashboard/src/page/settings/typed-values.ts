import { type Ambiguous, parseTyped, type Setting, type SettingValue } from '@guild-settings/contract/settings';
import { typedWords } from '@guild-settings/i18n';

/**
 * Returns what a person typed as a value; undefined: it is none. The words and the readers of five languages are a file of their own,
 * which is loaded when the form is shown.
 */
export function readValue(setting: Setting, typed: string, language: string): SettingValue | Ambiguous | undefined {
  return parseTyped(setting, typed, typedWords(setting, { language }));
}
