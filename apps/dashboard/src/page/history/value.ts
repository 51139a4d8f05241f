import { type HistoryTexts, languageName, shorten, type Words } from './words.ts';

/** A value as readers see it. */
export interface ShownValue {
  readonly text: string;
  /** Whether it is what somebody typed or chose, rather than a word of this page such as "none". */
  readonly isLiteral: boolean;
}

/** Returns the value of a field for readers. A field or a value that this version does not know is shown as JSON. */
export function shownValue(field: string, value: unknown, words: Words): ShownValue {
  const { t, language } = words;
  const word = (key: keyof HistoryTexts['value']): ShownValue => ({ text: t(`value.${key}`), isLiteral: false });
  if (value === '' || value === null || value === undefined) return word(field === 'prefix' ? 'off' : 'none');
  if (field === 'beta' && typeof value === 'boolean') return word(value ? 'on' : 'off');
  if (field === 'presence' && (value === 'present' || value === 'left' || value === 'unknown')) {
    return word(value);
  }
  if (field === 'enabledFeatures' && isListOfTexts(value)) {
    return value.length === 0 ? word('none') : literal(new Intl.ListFormat(language, { type: 'unit' }).format(value));
  }
  if (typeof value !== 'string') return literal(JSON.stringify(value) ?? '');
  if (field === 'language') return literal(languageName(value, language));
  if (field === 'announcement_channel') return literal(channelText(value, words));
  return literal(value);
}

/** Returns the name of a channel with its sign, or its id where the name is not known. */
function channelText(id: string, { channelName }: Pick<Words, 'channelName'>): string {
  const name = channelName?.(id);
  return name === undefined ? id : `#${name}`;
}

/** Whether a value is a list of names. */
export function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function literal(text: string): ShownValue {
  return { text: shorten(text), isLiteral: true };
}
