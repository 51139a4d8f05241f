import { shorten } from '@guild-settings/i18n';
import type { Action, Suggest, Suggestion, Typing } from './command.ts';
import type { RawOptions } from './options.ts';

/** Discord's limit for the name and the value of a suggestion. */
const MAX_LENGTH = 100;

/** Returns the suggestions that can be offered, as they are shown. A longer value cannot be chosen, but typed. */
export function offered(suggestions: readonly Suggestion[]): Suggestion[] {
  return suggestions
    .filter(({ value }) => value !== '' && [...value].length <= MAX_LENGTH)
    .map((suggestion) => ({ ...suggestion, name: shorten(suggestion.name, MAX_LENGTH) }));
}

/**
 * Returns options with the value of a suggestion in the place of its name. Discord inserts the name, and sends it as a text after it
 * was edited. The names of settings are among those by which they are found.
 */
export function suggestedValues(
  { options, suggest }: Pick<Action, 'options' | 'suggest'>,
  values: RawOptions,
  { invocation, services }: Pick<Typing, 'invocation' | 'services'>,
): RawOptions {
  const { translator } = invocation;
  const meant = Object.entries(values).map(([name, typed]) => {
    const suggestOf = options[name]?.kind === 'text' ? suggest(name) : undefined;
    if (suggestOf === undefined || typeof typed !== 'string') return [name, typed] as const;
    return [name, suggestedValue(suggestOf, { invocation, translator, typed, values, services })] as const;
  });
  return Object.fromEntries(meant);
}

/** Returns the value of the suggestion that has a text as its name now; otherwise the text. */
function suggestedValue(suggest: Suggest, { typed, ...typing }: Typing): string {
  const wanted = typed.trim().normalize();
  const { translator: ofGuild, ownTranslator = ofGuild } = typing.invocation;
  for (const translator of new Set([ownTranslator, ofGuild])) {
    const suggestions = offered(suggest({ ...typing, translator, typed: '' }));
    if (suggestions.some(({ value }) => value === typed)) return typed;
    const meant = suggestions.filter(({ name, otherNames = [] }) =>
      [name, ...otherNames].some((one) => one.trim().normalize() === wanted),
    );
    const [value, other] = new Set(meant.map((suggestion) => suggestion.value));
    if (value !== undefined && other === undefined) return value;
  }
  return typed;
}
