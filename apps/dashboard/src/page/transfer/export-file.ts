import type { GuildExport } from '@guild-settings/contract';
import { LIMITS } from '@guild-settings/contract/constants';
import {
  CUSTOM,
  type DeclaredSettings,
  limitsOf,
  maxBytes,
  type Setting,
  valueIn,
} from '@guild-settings/contract/settings';
import { lengthOf, type ShownFlaw } from '@guild-settings/i18n';

/** A file to import: the required parts of the browser's `File`. */
export interface ChosenFile {
  readonly name: string;
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A document that looks like an export. The service validates it. */
export type ExportDocument = Pick<GuildExport, 'version' | 'guild'> &
  Partial<Pick<GuildExport, 'name' | 'exportedAt'>> & { readonly settings: Readonly<Record<string, unknown>> };

export type WrongFile =
  | { readonly reason: 'too-large'; readonly bytes: number }
  | { readonly reason: 'not-json'; readonly detail: string }
  | { readonly reason: 'not-an-export'; readonly field: 'version' | 'guild' | 'settings' }
  | { readonly reason: 'other-version'; readonly version: string }
  | { readonly reason: 'too-long'; readonly fields: readonly LongField[] }
  | { readonly reason: 'empty' | 'not-text' | 'unreadable' };

/** The version of exports that the service accepts: the contract's `EXPORT_VERSION`. */
const VERSION: GuildExport['version'] = 1;

const MAX_QUOTED = 120;

/**
 * Reads a chosen file. A file that is larger than the service accepts is not read. The document is returned without its
 * history, which may exceed the service's limit.
 */
export async function readExportFile(
  file: ChosenFile,
  maxBytes: number,
  declared: DeclaredSettings,
): Promise<ExportDocument | WrongFile> {
  if (file.size > maxBytes) return { reason: 'too-large', bytes: file.size };
  const bytes = await file.arrayBuffer().catch(() => undefined);
  if (bytes === undefined) return { reason: 'unreadable' };
  const text = decoded(bytes);
  if (text === undefined) return { reason: 'not-text' };
  if (text.trim() === '') return { reason: 'empty' };
  try {
    return documentOf(JSON.parse(text), declared);
  } catch (error) {
    return { reason: 'not-json', detail: quoted(error instanceof Error ? error.message : String(error)) };
  }
}

export function isWrongFile(result: ExportDocument | WrongFile): result is WrongFile {
  return 'reason' in result && !('settings' in result);
}

function decoded(bytes: ArrayBuffer): string | undefined {
  try {
    // Skips a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function documentOf(value: unknown, declared: DeclaredSettings): ExportDocument | WrongFile {
  if (!isObject(value) || !('version' in value)) return { reason: 'not-an-export', field: 'version' };
  if (value.version !== VERSION) return { reason: 'other-version', version: quoted(JSON.stringify(value.version)) };
  const {
    $schema: _schema,
    version: _version,
    guild,
    name,
    revision: _revision,
    exportedAt,
    settings,
    history,
    ...unknown
  } = value;
  if (typeof guild !== 'string') return { reason: 'not-an-export', field: 'guild' };
  if (!isObject(settings)) return { reason: 'not-an-export', field: 'settings' };
  const fields = longFields({ ...value, settings }, declared);
  if (fields.length > 0) return { reason: 'too-long', fields };
  const names = declared.all.map(({ name, place }) => (place === 'record' ? name : 'custom'));
  const known = new Set<string>(names);
  const [custom, unknownCustom] = isObject(settings.custom) ? split(settings.custom, declared) : [undefined, {}];
  const unknownSettings = Object.fromEntries(Object.entries(settings).filter(([field]) => !known.has(field)));
  const [later = {}, laterSettings = {}, laterCustom = {}] = sendableFields([unknown, unknownSettings, unknownCustom]);
  return {
    ...later,
    ...pick(value, ['$schema', 'revision']),
    version: VERSION,
    guild,
    settings: {
      ...laterSettings,
      ...pick(settings, [...known]),
      ...(custom && { custom: { ...laterCustom, ...custom } }),
    },
    ...(typeof name === 'string' && { name }),
    ...(typeof exportedAt === 'string' && { exportedAt }),
    // Included as null, so that the service lists it among the skipped fields.
    ...(history !== undefined && { history: null }),
  };
}

function split(custom: Readonly<Record<string, unknown>>, declared: DeclaredSettings) {
  const isDeclared = ([name]: [string, unknown]) => declared.byField.has(`${CUSTOM}${name}`);
  const entries = Object.entries(custom);
  return [entries.filter(isDeclared), entries.filter((entry) => !isDeclared(entry))].map((part) =>
    Object.fromEntries(part),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function quoted(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}

function pick<T extends object, Key extends keyof T>(object: T, keys: readonly Key[]): Pick<T, Key> {
  const entries = keys.filter((key) => Object.hasOwn(object, key)).map((key) => [key, object[key]]);
  // `Object.fromEntries` loses the types of the keys.
  return Object.fromEntries(entries) as Pick<T, Key>;
}

/**
 * A field of a file whose value is too large to send to the service, which would refuse the whole file without naming
 * the field.
 */
interface LongField {
  /** The JSON Pointer (RFC 6901) to it in the file. */
  readonly pointer: string;
  readonly flaw: ShownFlaw;
}

/** Maximum characters of the fields of an export besides the settings: those of the contract. */
const LONGEST: Readonly<Record<string, number>> = {
  $schema: 256,
  guild: 19,
  name: 256,
  revision: 16,
  exportedAt: 30,
};

/** Returns the fields of an export that are too large to send. The service reports other errors. */
function longFields(
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
      const { place, name, was } = setting;
      const most = place === 'custom' ? maxBytes(setting) : 0;
      // An export from before a renaming has another name.
      return [name, ...was].flatMap((one) => {
        const value: unknown = valueIn(settings, { name: one, place });
        const pointer = pointerOf(place === 'custom' ? `${CUSTOM}${one}` : one);
        return value !== undefined && isLong(value, most) ? longValues(setting, value, pointer) : [];
      });
    }),
  ];
}

export function pointerOf(field: string): string {
  return `/settings/${field.replace('.', '/')}`;
}

function longValues(setting: Setting, value: unknown, pointer: string): LongField[] {
  const { many } = setting;
  const count = charactersOf(setting);
  if (many === undefined) return [tooLong(pointer, count)];
  if (!Array.isArray(value) || value.length > many.max) {
    return [{ pointer, flaw: { key: 'tooMany', count: many.max } }];
  }
  return value.flatMap((item, index) =>
    (typeof item === 'string' ? lengthOf(item) : jsonBytes(item)) > count
      ? [tooLong(`${pointer}/${index}`, count)]
      : [],
  );
}

function tooLong(pointer: string, count: number): LongField {
  return { pointer, flaw: { key: 'tooLong', count } };
}

/** Returns the characters of the longest value, or of the longest list item. */
function charactersOf(setting: Setting): number {
  const { maxLength } = limitsOf(setting);
  // A text in JSON has quotes.
  return Number(maxLength ?? maxBytes({ ...setting, many: undefined }) - (setting.kind.type === 'string' ? 2 : 0));
}

/** Bytes of JSON for the values of all fields that this version does not know. */
const MAX_UNKNOWN_BYTES = 4_096;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the fields of a document that this version does not know, limited to the size of a request. A later service
 * may be able to import them. A value beyond the limit is null, and a long name is cut off like in the service, which
 * lists it among the skipped fields. If there are more fields than the service accepts, one too many is sent, so that
 * it refuses the document.
 */
function sendableFields(parts: readonly Fields[]): Fields[] {
  let [fieldsLeft, bytesLeft] = [LIMITS.unknownFields + 1, MAX_UNKNOWN_BYTES];
  return parts.map((part) => {
    const entries = Object.entries(part).slice(0, fieldsLeft);
    fieldsLeft -= entries.length;
    return Object.fromEntries(
      entries.map(([name, value]) => {
        const bytes = jsonBytes(value);
        const isSent = !isLong(value) && bytes <= bytesLeft;
        if (isSent) bytesLeft -= bytes;
        return [shortName(name), isSent ? value : null];
      }),
    );
  });
}

function shortName(name: string): string {
  return name.length > LIMITS.featureName ? `${name.slice(0, LIMITS.featureName)}...` : name;
}

/** Bytes of JSON up to which the value of one field is sent: the service accepts 16 KiB in total. */
const MAX_FIELD_BYTES = 1_024;

function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/**
 * Returns true if a value is larger than any valid value of a field. A list of features is measured per feature.
 * @param maxBytes of the field, if a team has declared it
 */
function isLong(value: unknown, maxBytes = 0): boolean {
  return jsonBytes(value) > Math.max(MAX_FIELD_BYTES, maxBytes);
}
