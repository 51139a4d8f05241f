import { GuildSettings, issuesOf } from '@guild-settings/contract';
import { ConversionError } from './conversion-error.ts';
import { convert } from './convert.ts';
import { problemOf } from './map-export.ts';
import { type Replacement, replaced } from './replacements.ts';
import type { Settings } from './settings.ts';

/** What a value of a row becomes, or why it cannot be taken. */
export type TakenValue = { readonly value: unknown } | { readonly problem: string };

interface ValueRules {
  readonly settings: Settings;
  readonly replacements: readonly Replacement[];
}

/** The limits of the settings of the specification. */
const SomeSettings = GuildSettings.partial();

/** Takes a value of a row for a setting: as its replacement, converted, and within the limits. */
export function takeValue(field: string, found: unknown, { settings, replacements }: ValueRules): TakenValue {
  try {
    const value = convert(field, replaced(replacements, field, found), settings);
    const { error } = SomeSettings.safeParse({ [field]: value });
    return error === undefined ? { value } : { problem: problemOf(issuesOf(error)) };
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    return { problem: `${field}: ${error.message}` };
  }
}
