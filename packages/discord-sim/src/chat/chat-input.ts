import { Locale } from 'discord-api-types/v10';
import { record } from '../json.ts';
import type { ModalValues } from '../people/modal-form.ts';
import type { SlashValues } from '../people/slash-options.ts';
import { badInput } from '../protect-page.ts';

const MAX_CONTENT = 2_000;
const LOCALES: readonly string[] = Object.values(Locale);

export function contentOf(body: unknown): string {
  const { content } = record(body);
  const expected = `a text of 1 to ${MAX_CONTENT} characters`;
  if (typeof content !== 'string') throw badInput('content', expected, content);
  // Discord counts code points.
  const { length } = [...content];
  if (content.trim() === '' || length > MAX_CONTENT) throw badInput('content', expected, `${length} characters`);
  return content;
}

/** @throws {PageRefusal} 400 when the property is no text, or an empty one */
export function textOf(body: unknown, field: string): string {
  const value = record(body)[field];
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw badInput(field, 'a text that is not empty', value);
}

/**
 * The language of the person's client; `en-US` unless given.
 *
 * @throws {PageRefusal} 400 when Discord has no such locale
 */
export function localeOf(body: unknown): `${Locale}` {
  const { locale = Locale.EnglishUS } = record(body);
  if (typeof locale === 'string' && LOCALES.includes(locale)) return locale as `${Locale}`;
  throw badInput('locale', 'a locale of Discord such as "en-US"', locale);
}

/**
 * The values of a command's options by name; none unless given.
 *
 * @throws {PageRefusal} 400 when one is neither text nor number nor boolean
 */
export function slashValuesOf(body: unknown): SlashValues {
  const { values = {} } = record(body);
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw badInput('values', 'an object of option values by name', values);
  }
  for (const [name, value] of Object.entries(values)) {
    if (!['string', 'number', 'boolean'].includes(typeof value)) {
      throw badInput(`values.${name}`, 'a text, a number or a boolean', value);
    }
  }
  return values as SlashValues;
}

/**
 * The values of a modal's fields by custom id; none unless given.
 *
 * @throws {PageRefusal} 400 when one is neither a text nor a list of texts
 */
export function modalValuesOf(body: unknown): ModalValues {
  const { values = {} } = record(body);
  const isText = (value: unknown) => typeof value === 'string';
  for (const [name, value] of Object.entries(record(values))) {
    if (isText(value) || (Array.isArray(value) && value.every(isText))) continue;
    throw badInput(`values.${name}`, 'a text or a list of texts', value);
  }
  return record(values) as ModalValues;
}
