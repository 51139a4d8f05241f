import { type DeclaredSettings, limitsOf, maxBytes, type Setting, valueIn } from '@guild-settings/contract/settings';
import { lengthOf, type ShownFlaw } from '@guild-settings/i18n';
import { isLong } from './field-size.ts';

/** A field of a file whose value is too large to be sent to the service, which would refuse the whole file without naming the field. */
export interface LongField {
  /** The JSON Pointer of its place in the file (RFC 6901). */
  readonly pointer: string;
  readonly flaw: ShownFlaw;
}

/** Characters of the fields of an export beside the settings: those of the contract. */
const LONGEST: Readonly<Record<string, number>> = {
  $schema: 256,
  guild: 19,
  name: 256,
  revision: 16,
  exportedAt: 30,
};

/** Returns the fields of an export that are too large to be sent. The service names what else is wrong. */
export function longFields(
  document: { readonly settings: Readonly<Record<string, unknown>> },
  { all }: DeclaredSettings,
): LongField[] {
  const { settings } = document;
  return [
    ...Object.entries(document).flatMap(([field, value]) => {
      const count = LONGEST[field];
      return count !== undefined && isLong(value) ? [tooLong(`/${field}`, count)] : [];
    }),
    ...all.flatMap((setting) => {
      const value: unknown = valueIn(settings, setting);
      const most = setting.place === 'custom' ? maxBytes(setting) : 0;
      return value !== undefined && isLong(value, most) ? longValues(setting, value) : [];
    }),
  ];
}

/** Returns the JSON Pointer of a setting in an export. */
export function pointerOf(field: string): string {
  return `/settings/${field.replace('.', '/')}`;
}

function longValues(setting: Setting, value: unknown): LongField[] {
  const { field, many } = setting;
  const pointer = pointerOf(field);
  const count = charactersOf(setting);
  if (many === undefined) return [tooLong(pointer, count)];
  if (!Array.isArray(value) || value.length > many.max) {
    return [{ pointer, flaw: { key: 'tooMany', count: many.max } }];
  }
  return value.flatMap((item, index) =>
    typeof item !== 'string' || lengthOf(item) > count ? [tooLong(`${pointer}/${index}`, count)] : [],
  );
}

function tooLong(pointer: string, count: number): LongField {
  return { pointer, flaw: { key: 'tooLong', count } };
}

/** Returns the characters of the longest value, or of the longest item of a list. */
function charactersOf(setting: Setting): number {
  const { maxLength } = limitsOf(setting);
  // JSON of a text has quotes.
  return Number(maxLength ?? maxBytes({ ...setting, many: undefined }) - (setting.kind.type === 'string' ? 2 : 0));
}
