import { LIMITS } from '../limits.ts';
import { DECLARATION_LIMITS } from './declaration-schemas.ts';
import type { DeclaredSettings } from './declared-settings.ts';
import { maxBytes, type Setting } from './setting.ts';
import { CODE_POINT_BYTES } from './text-flaws.ts';

/** Bytes of the longest id, name and icon of a guild as JSON. Discord's limits: 100 code points and 64. */
const PROFILE = { id: 2 + 20, name: 2 + 100 * CODE_POINT_BYTES, icon: 2 + 64 * CODE_POINT_BYTES };

/** Maximum bytes that a client sends per byte of UTF-8: `\ud83d\ude00` is one code point of four bytes. */
const ESCAPED = 3;

/** Maximum bytes of a PATCH body in any deployment. `custom` is smaller than the record that contains it. */
export const MAX_PATCH_BODY_BYTES = LIMITS.bodyBytes + ESCAPED * DECLARATION_LIMITS.recordBytes;

/** Returns the bytes of the largest record as JSON. */
export function maxRecordBytes({ all, custom }: DeclaredSettings): number {
  const specified = all.filter(({ place }) => place === 'record');
  const declared: [string, number][] = custom === undefined ? [] : [['custom', maxCustomBytes(custom)]];
  return objectBytes([...Object.entries(PROFILE), ...specified.map(sized), ...declared]);
}

/** Returns the maximum bytes of a PATCH body: those in every deployment, and those of the largest `custom`. */
export function patchBodyBytes({ custom }: DeclaredSettings): number {
  return LIMITS.bodyBytes + (custom === undefined ? 0 : ESCAPED * maxCustomBytes(custom));
}

function maxCustomBytes(custom: readonly Setting[]): number {
  return objectBytes(custom.map(sized));
}

function sized(setting: Setting): [string, number] {
  return [setting.name, maxBytes(setting)];
}

function objectBytes(fields: readonly (readonly [name: string, valueBytes: number])[]): number {
  const separators = '"":,'.length;
  return fields.reduce((sum, [name, valueBytes]) => sum + name.length + separators + valueBytes, '{}'.length);
}
