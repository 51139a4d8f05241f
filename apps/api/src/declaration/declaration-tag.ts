import { createHash } from 'node:crypto';
import { type Declaration, DeclaredSettings, type Setting } from '@guild-settings/contract/settings';

const TAG_LENGTH = 8;

/**
 * Returns the tag of a declaration, which entity tags contain. It differs where records or their values may differ: with names, their
 * order, kinds, limits, `setBy` and defaults. Texts, groups and features are left out.
 */
export function declarationTag(declaration: Declaration): string {
  const settings = new DeclaredSettings(declaration).all.map(valuesOf);
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, TAG_LENGTH);
}

/** Returns what decides about the values of a setting, in one order, with what is the same as an option that is absent. */
function valuesOf({ place, field, declared, many, default: value }: Setting): unknown {
  // The options of the specified settings may differ between versions of the service, which would change all tags.
  if (place === 'record') return [field, value];
  const { lines = 'one', min, max, types, choices, kind, setBy }: Options = declared;
  return [field, kind, lines, min, max, many?.max, types, choices && Object.keys(choices), setBy, value];
}

interface Options {
  readonly kind: string;
  readonly setBy?: string;
  readonly lines?: string;
  readonly min?: number;
  readonly max?: number;
  readonly types?: readonly string[];
  readonly choices?: object;
}
