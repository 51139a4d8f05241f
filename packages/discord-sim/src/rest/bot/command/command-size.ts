interface Sized {
  readonly name: string;
  readonly name_localizations?: Readonly<Record<string, string>> | null | undefined;
  readonly description?: string | undefined;
  readonly description_localizations?: Readonly<Record<string, string>> | null | undefined;
  readonly value?: string | number;
  readonly choices?: readonly Sized[] | undefined;
  readonly options?: readonly Sized[] | undefined;
}

/**
 * Returns the characters in the names, descriptions and values of a command with all of its options and choices. Of the
 * translations of a text, only the longest one counts.
 *
 * @see https://discord.com/developers/docs/interactions/application-commands#slash-commands
 */
export function commandSize(sized: Sized): number {
  const { name, description = '', value = '', choices = [], options = [] } = sized;
  const own =
    longest(name, sized.name_localizations) +
    longest(description, sized.description_localizations) +
    (typeof value === 'string' ? value.length : 0);
  return [...choices, ...options].reduce((sum, inner) => sum + commandSize(inner), own);
}

function longest(text: string, translations: Readonly<Record<string, string>> | null = {}): number {
  return Math.max(...[text, ...Object.values(translations ?? {})].map((each) => [...each].length));
}
