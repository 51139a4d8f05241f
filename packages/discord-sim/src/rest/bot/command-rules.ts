import { Locale, type LocalizationMap } from 'discord-api-types/v10';
import { record } from '../../record.ts';
import { invalidField } from '../error-body.ts';

const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const MAX_DESCRIPTION = 100;
const MAX_OPTIONS = 25;
const LOCALES: ReadonlySet<string> = new Set(Object.values(Locale));

/**
 * Checks the names, descriptions and localisations of a chat command and its options.
 *
 * @throws {RestRefusal} 400 naming the field by its path
 * @see https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-naming
 */
export function checkCommand(command: unknown, path: string): void {
  const {
    name,
    description,
    name_localizations: names,
    description_localizations: descriptions,
    options,
  } = record(command);
  checkName(name, `${path}.name`);
  checkDescription(description, `${path}.description`);
  for (const [locale, text] of localised(names, `${path}.name_localizations`)) {
    checkName(text, `${path}.name_localizations.${locale}`);
  }
  for (const [locale, text] of localised(descriptions, `${path}.description_localizations`)) {
    checkDescription(text, `${path}.description_localizations.${locale}`);
  }
  if (options === undefined || options === null) return;
  if (!Array.isArray(options) || options.length > MAX_OPTIONS) {
    throw invalidField(`${path}.options`, 'BASE_TYPE_MAX_LENGTH', `Must be ${MAX_OPTIONS} or fewer in length.`);
  }
  for (const [index, option] of options.entries()) checkCommand(option, `${path}.options.${index}`);
}

function localised(map: unknown, path: string): [string, unknown][] {
  const entries = Object.entries(record(map) satisfies Partial<Record<keyof LocalizationMap, unknown>>);
  for (const [locale] of entries) {
    if (!LOCALES.has(locale)) throw invalidField(path, 'DICT_TYPE_KEY', `Unknown locale ${JSON.stringify(locale)}.`);
  }
  return entries;
}

function checkName(name: unknown, path: string): void {
  if (typeof name !== 'string' || !NAME.test(name) || name !== name.toLowerCase()) {
    throw invalidField(path, 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid');
  }
}

function checkDescription(text: unknown, path: string): void {
  if (typeof text !== 'string' || text.length < 1 || [...text].length > MAX_DESCRIPTION) {
    throw invalidField(path, 'BASE_TYPE_BAD_LENGTH', `Must be between 1 and ${MAX_DESCRIPTION} in length.`);
  }
}
