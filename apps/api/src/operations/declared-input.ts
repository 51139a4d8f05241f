import { CUSTOM, fits, flawMessage, flawPath, flawsOf, isSameValue, stored } from '@guild-settings/contract';
import type { z } from 'zod';
import { DEFAULT_STATE } from '../domain/record.ts';
import type { GrantedGuild } from './access.ts';
import type { Call } from './call.ts';

/** An input to validate, and a function that completes it afterwards. */
export interface Unchanged {
  readonly input: unknown;
  /** Returns validated data with the omitted settings added. */
  withAll(data: unknown): unknown;
}

/**
 * Removes the declared settings of an input that have their present values, so that a record can be sent back as it was
 * read. Values that were set under wider limits are still served; only changed values must be valid.
 * @param path the path to the declared settings in the input
 * @returns undefined: the input has no declared settings
 */
export function withoutUnchanged(
  input: unknown,
  path: readonly string[],
  { services, granted }: { readonly services: Call['services']; readonly granted: Partial<GrantedGuild> },
): Unchanged | undefined {
  const custom = valueAt(input, path);
  if (!isObject(custom) || granted.stored === undefined) return undefined;
  const { records } = services;
  const now = records.effective((granted.stored ?? DEFAULT_STATE).settings).custom ?? {};
  const isSame = ([name, value]: readonly [string, unknown]) => {
    const setting = records.settings.byField.get(`${CUSTOM}${name}`);
    // Null resets to the default; a value of another type is refused.
    if (setting === undefined || !fits(setting, value)) return false;
    const names = [setting.name, ...setting.was].filter((one) => Object.hasOwn(custom, one));
    const isWhole = !flawsOf(setting, value).some(({ key }) => key === 'unknownColumn');
    return names.length === 1 && isWhole && isSameValue(stored(setting, value), now[setting.name], setting);
  };
  const entries = Object.entries(custom);
  const same = entries.filter(isSame);
  if (same.length === 0) return undefined;
  const others = Object.fromEntries(entries.filter((entry) => !same.includes(entry)));
  return {
    input: replaced(input, path, () => others),
    withAll: (data) => replaced(data, path, (validated) => ({ ...Object.fromEntries(same), ...(validated as object) })),
  };
}

/**
 * Returns an issue for each role in the declared settings of an input that is @everyone, whose id is that of the guild.
 * @param path the path to the declared settings in the input
 */
export function everyoneIn(
  input: unknown,
  path: readonly string[],
  { services, granted }: { readonly services: Call['services']; readonly granted: Partial<GrantedGuild> },
): z.core.$ZodIssue[] {
  const [document, custom] = [valueAt(input, path.slice(0, 1)), valueAt(input, path)];
  const guildId = granted.guild?.id;
  // Roles in the document of another guild are not checked.
  const isForeign = path.length > 1 && isObject(document) && document.guild !== guildId;
  if (!isObject(custom) || guildId === undefined || isForeign) return [];
  return (services.records.settings.custom ?? []).flatMap((setting) => {
    return [setting.name, ...setting.was].flatMap((name) => {
      const value = custom[name];
      const flaws = fits(setting, value) ? flawsOf(setting, value, guildId) : [];
      return flaws
        .filter(({ key }) => key === 'everyone')
        .map((flaw) => ({
          code: 'custom' as const,
          path: [...path, name, ...flawPath(flaw)],
          message: flawMessage(flaw),
          input: value,
        }));
    });
  });
}

function valueAt(input: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), input);
}

function replaced(value: unknown, [name, ...rest]: readonly string[], replace: (old: unknown) => unknown): unknown {
  if (name === undefined) return replace(value);
  const object = value as Readonly<Record<string, unknown>>;
  return { ...object, [name]: replaced(object[name], rest, replace) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
