import { flawMessage, flawsOf, type Setting, type SettingValue } from '@guild-settings/contract';
import { ConversionError } from './conversion-error.ts';
import { convert } from './convert.ts';
import { fallbackOf, type Replacement, replacementOf } from './replacements.ts';

/**
 * The meaning of an empty prefix, which switches prefix commands off in the service, and means something else in many
 * bots: no value, an empty prefix, a question to the caller, or a refused value.
 */
export type EmptyPrefix = 'default' | 'off' | 'ask' | 'refuse';

export interface ValueRules {
  readonly replacements: readonly Replacement[];
  readonly emptyPrefix: EmptyPrefix;
}

export interface RefusedValue {
  readonly field: string;
  readonly value: unknown;
  readonly problem: string;
}

type Fitting =
  | { readonly is: 'value'; readonly value: SettingValue }
  | { readonly is: 'refused'; readonly problem: string };

/** The result of converting a value of a row, or the reason why it cannot be taken. */
export type TakenValue =
  | Fitting
  | { readonly is: 'absent' }
  /** No value before {@link EmptyPrefix} is decided. */
  | { readonly is: 'undecided' };

export function takeValue(setting: Setting, found: unknown, { replacements, emptyPrefix }: ValueRules): TakenValue {
  const replacement = replacementOf(replacements, setting.field, found);
  const taken = fitting(setting, replacement ?? found);
  if (taken.is === 'refused') {
    const fallback = fallbackOf(replacements, setting.field);
    return fallback === undefined ? taken : fitting(setting, fallback);
  }
  const isEmptyPrefix = setting.field === 'prefix' && replacement === undefined && taken.value === '';
  return isEmptyPrefix ? takeEmptyPrefix(taken, emptyPrefix) : taken;
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

export function fitting(setting: Setting, value: unknown): Fitting {
  const { field } = setting;
  try {
    const converted = convert(setting, value);
    const problems = flawsOf(setting, converted).map((flaw) => {
      return `${flaw.at === undefined ? field : `${field}.${flaw.at}`}: ${flawMessage(flaw)}`;
    });
    if (problems.length > 0) return { is: 'refused', problem: problems.join('; ') };
    return { is: 'value', value: converted };
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    return { is: 'refused', problem: `${field}: ${error.message}` };
  }
}
