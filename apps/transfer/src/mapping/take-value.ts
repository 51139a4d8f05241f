import {
  type DeclaredSettings,
  type FieldPatch,
  type Flaw,
  flawsOf,
  type GuildId,
  type Setting,
  type SettingValue,
  stored,
} from '@guild-settings/contract';
import { ConversionError } from './conversion-error.ts';
import { type ConversionRules, convert, flawProblem, NO_RULES, replacementOf } from './convert.ts';

/**
 * The meaning of an empty prefix, which disables prefix commands in the service, but means something else in many bots:
 * no value, an empty prefix, a question to the caller, or a rejected value.
 */
export type EmptyPrefix = 'default' | 'off' | 'ask' | 'refuse';

export interface ValueRules extends ConversionRules {
  readonly emptyPrefix: EmptyPrefix;
}

export interface FieldReplacement {
  readonly field: string;
  /** The value; undefined: any value that cannot be converted otherwise. */
  readonly from: string | undefined;
  readonly to: string;
}

/** Parses `language:de=en-US` or `language:*=en-US`; undefined for another form. `\*` stands for the text `*`. */
export function parseReplacement(text: string): FieldReplacement | undefined {
  const [, field = '', from = '', to = ''] = /^([\w.]+):(.*?)=(.*)$/s.exec(text) ?? [];
  if (field === '') return undefined;
  return { field, from: from === '*' ? undefined : from === '\\*' ? '*' : from, to };
}

export interface RefusedValue {
  readonly field: string;
  readonly value: unknown;
  readonly problem: string;
}

type Fitting =
  | { readonly is: 'value'; readonly value: SettingValue }
  | { readonly is: 'refused'; readonly problem: string };

export type TakenValue =
  | Fitting
  | { readonly is: 'absent' }
  /** A value is not available before {@link EmptyPrefix} is decided. */
  | { readonly is: 'undecided' };

export function takeValue(setting: Setting, found: unknown, rules: ValueRules): TakenValue {
  const replacement = replacementOf(setting, found, rules);
  const taken = replacement === undefined ? fitting(setting, found, rules) : fitting(setting, replacement);
  if (taken.is === 'refused') {
    const fallback = replacementOf(setting, undefined, rules);
    return fallback === undefined ? taken : fitting(setting, fallback);
  }
  const isEmptyPrefix = setting.field === 'prefix' && replacement === undefined && taken.value === '';
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

/** @param field the name in problems */
export function fitting(
  setting: Setting,
  value: unknown,
  rules: ConversionRules = NO_RULES,
  field = setting.shownField,
): Fitting {
  try {
    const converted = stored(setting, convert(setting, value, rules));
    const problem = problemOf(field, flawsOf(setting, converted), converted);
    if (problem !== undefined) return { is: 'refused', problem };
    return { is: 'value', value: converted };
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    return { is: 'refused', problem: error.in(field) };
  }
}

/** Returns the values of a guild that are the role @everyone, whose id is that of the guild. */
export function everyoneIn(settings: FieldPatch, guild: GuildId, { byField }: DeclaredSettings): RefusedValue[] {
  return Object.entries(settings).flatMap(([field, value]) => {
    const setting = byField.get(field);
    const flaws = setting === undefined || value === null ? [] : flawsOf(setting, value, guild);
    const everyone = flaws.filter(({ key }) => key === 'everyone');
    const problem = problemOf(field, everyone, value);
    return problem === undefined ? [] : [{ field, value, problem }];
  });
}

function problemOf(field: string, flaws: readonly Flaw[], value: unknown): string | undefined {
  if (flaws.length === 0) return undefined;
  return new ConversionError(flaws.map((flaw) => flawProblem(flaw, value))).in(field);
}
