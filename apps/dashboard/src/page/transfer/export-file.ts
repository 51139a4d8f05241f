import type { GuildExport } from '@guild-settings/contract';
import { FIELDS, pick } from '../draft/fields.ts';

/** A file to import: the parts of the browser's `File` that are needed. */
export interface ChosenFile {
  readonly name: string;
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A document that looks like an export. The service validates it. */
export type ExportDocument = Pick<GuildExport, 'version' | 'guild'> &
  Partial<Pick<GuildExport, 'name' | 'exportedAt'>> & { readonly settings: Readonly<Record<string, unknown>> };

/** Why a file is no export, with what its text needs. */
export type WrongFile =
  | { readonly reason: 'too-large'; readonly bytes: number }
  | { readonly reason: 'not-json'; readonly detail: string }
  | { readonly reason: 'not-an-export'; readonly field: 'version' | 'guild' | 'settings' }
  | { readonly reason: 'other-version'; readonly version: string }
  | { readonly reason: 'empty' | 'not-text' | 'unreadable' };

/** The version of exports that the service takes: the contract's `EXPORT_VERSION`. */
const VERSION: GuildExport['version'] = 1;

/** Characters of JSON up to which the value of a field is sent that this version does not know. A later service may import it. */
const MAX_UNKNOWN = 1_024;

/** Characters of a part of the file in a message. */
const MAX_QUOTED = 120;

/**
 * Reads a file that a person has chosen. A file that is larger than the service takes is not read at all, whatever it is.
 * The document is returned without its history and without long values of fields that this version does not know: they may be
 * larger than what the service takes.
 */
export async function readExportFile(file: ChosenFile, maxBytes: number): Promise<ExportDocument | WrongFile> {
  if (file.size > maxBytes) return { reason: 'too-large', bytes: file.size };
  const bytes = await file.arrayBuffer().catch(() => undefined);
  if (bytes === undefined) return { reason: 'unreadable' };
  const text = decoded(bytes);
  if (text === undefined) return { reason: 'not-text' };
  if (text.trim() === '') return { reason: 'empty' };
  try {
    return documentOf(JSON.parse(text));
  } catch (error) {
    return { reason: 'not-json', detail: quoted(error instanceof Error ? error.message : String(error)) };
  }
}

/** Whether a file was refused. */
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

function documentOf(value: unknown): ExportDocument | WrongFile {
  if (!isObject(value) || !('version' in value)) return { reason: 'not-an-export', field: 'version' };
  if (value.version !== VERSION) return { reason: 'other-version', version: quoted(JSON.stringify(value.version)) };
  const { guild, settings, name, exportedAt, ...rest } = value;
  if (typeof guild !== 'string') return { reason: 'not-an-export', field: 'guild' };
  if (!isObject(settings)) return { reason: 'not-an-export', field: 'settings' };
  return {
    ...withoutLong(rest, ['history']),
    version: VERSION,
    guild,
    settings: { ...withoutLong(settings), ...pick(settings, FIELDS) },
    ...(typeof name === 'string' && { name }),
    ...(typeof exportedAt === 'string' && { exportedAt }),
  };
}

/** Returns an object in which some fields and those with a long value are null: the service names them among what it leaves alone. */
function withoutLong(object: Readonly<Record<string, unknown>>, left: readonly string[] = []): Record<string, unknown> {
  const isSent = (field: string, value: unknown) =>
    !left.includes(field) && JSON.stringify(value).length <= MAX_UNKNOWN;
  return Object.fromEntries(
    Object.entries(object).map(([field, value]) => [field, isSent(field, value) ? value : null]),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function quoted(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}
