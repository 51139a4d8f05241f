import type { GuildExport } from '@guild-settings/contract';
import { CUSTOM, type DeclaredSettings } from '@guild-settings/contract/settings';
import { type LongField, longFields } from './long-fields.ts';
import { sendableFields } from './unknown-fields.ts';

/** A file to import: the parts of the browser's `File` that are needed. */
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

/** The version of exports that the service takes: the contract's `EXPORT_VERSION`. */
const VERSION: GuildExport['version'] = 1;

const MAX_QUOTED = 120;

/**
 * Reads a file that a person has chosen. A file that is larger than the service takes is not read at all, whatever it is.
 * The document is returned without its history, which may be larger than what the service takes.
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
    // The service names it among what it leaves alone.
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
  // `Object.fromEntries` does not know which keys it was given.
  return Object.fromEntries(entries) as Pick<T, Key>;
}
