import { LANGUAGES, type Setting } from '@guild-settings/contract';

const LANGUAGE_NAMES = LANGUAGES.map((language) => [language, namesOf(language)] as const);

/** Returns the choices of a setting, and what people call each. */
export function choiceNames({ field, declared }: Setting): readonly (readonly [choice: string, names: string[]])[] {
  if (field === 'language') return LANGUAGE_NAMES;
  const choices = declared.kind === 'choice' ? Object.entries(declared.choices) : [];
  return choices.map(([choice, labels]) => [choice, Object.values(labels)]);
}

function namesOf(language: string): string[] {
  const [bare = language] = language.split('-');
  const names = ['en', language].flatMap((display) => {
    const namesIn = new Intl.DisplayNames(display, { type: 'language' });
    return [namesIn.of(bare), namesIn.of(language)];
  });
  return [bare, ...names.filter((name) => name !== undefined)];
}
