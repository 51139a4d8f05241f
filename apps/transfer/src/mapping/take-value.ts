import { GuildSettings, issuesOf } from '@guild-settings/contract';
import { ConversionError } from './conversion-error.ts';
import { convert } from './convert.ts';
import { problemOf } from './map-export.ts';
import { fallbackOf, type Replacement, replacementOf } from './replacements.ts';
import type { Settings } from './settings.ts';

/**
 * What an empty prefix becomes, which switches prefix commands off in the service, and in many bots means another thing:
 * no value, an empty prefix, nothing before somebody decides, or a refused value.
 */
export type EmptyPrefix = 'default' | 'off' | 'ask' | 'refuse';

/** How values of rows become values of settings. */
export interface ValueRules {
  /** The settings that the service has. */
  readonly settings: Settings;
  readonly replacements: readonly Replacement[];
  readonly emptyPrefix: EmptyPrefix;
}

type Fitting = { readonly is: 'value'; readonly value: unknown } | { readonly is: 'refused'; readonly problem: string };

/** What a value of a row becomes, or why it cannot be taken. */
export type TakenValue =
  | Fitting
  | { readonly is: 'absent' }
  /** Nothing before {@link EmptyPrefix} is decided. */
  | { readonly is: 'undecided' };

/** Takes a value of a row for a setting. */
export function takeValue(field: string, found: unknown, rules: ValueRules): TakenValue {
  const { settings, replacements } = rules;
  const replacement = replacementOf(replacements, field, found);
  const taken = fitting(field, replacement ?? found, settings);
  if (taken.is === 'refused') {
    const fallback = fallbackOf(replacements, field);
    return fallback === undefined ? taken : fitting(field, fallback, settings);
  }
  const isEmptyPrefix = field === 'prefix' && replacement === undefined && taken.value === '';
  return isEmptyPrefix ? takeEmptyPrefix(taken, rules.emptyPrefix) : taken;
}

function takeEmptyPrefix(taken: TakenValue, emptyPrefix: EmptyPrefix): TakenValue {
  switch (emptyPrefix) {
    case 'default':
      return { is: 'absent' };
    case 'off':
      return taken;
    case 'ask':
      return { is: 'undecided' };
    case 'refuse': {
      const expected = 'expected --empty-prefix default or --empty-prefix off for an empty prefix';
      return { is: 'refused', problem: `prefix: ${expected}, which switches prefix commands off` };
    }
  }
}

/** The limits of the settings of the specification. */
const SomeSettings = GuildSettings.partial();

/** Converts a value for a setting, when it is within the limits then. */
export function fitting(field: string, value: unknown, settings: Settings): Fitting {
  try {
    const converted = convert(field, value, settings);
    const { error } = SomeSettings.safeParse({ [field]: converted });
    if (error !== undefined) return { is: 'refused', problem: problemOf(issuesOf(error)) };
    return { is: 'value', value: converted };
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    return { is: 'refused', problem: `${field}: ${error.message}` };
  }
}
