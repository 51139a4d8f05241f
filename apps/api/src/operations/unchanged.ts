import { isSameValue } from '@guild-settings/contract';
import { DEFAULT_STATE } from '../domain/default-state.ts';
import type { GrantedGuild } from './authorize.ts';
import type { Call } from './call.ts';

/** An input to validate, and what completes it afterwards. */
export interface Unchanged {
  readonly input: unknown;
  /** Returns validated data with the settings that were left out. */
  withAll(data: unknown): unknown;
}

/**
 * Leaves out the declared settings of an input that have their values already, so that a record can be sent back as it was read: a
 * value that was set under wider limits is served, and only another one has to be valid.
 * @param path the names of the way to the declared settings in the input
 * @returns undefined where there are none
 */
export function withoutUnchanged(
  input: unknown,
  path: readonly string[],
  { services, granted }: { readonly services: Call['services']; readonly granted: Partial<GrantedGuild> },
): Unchanged | undefined {
  const custom = path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), input);
  if (!isObject(custom) || granted.stored === undefined) return undefined;
  const now = services.records.effective((granted.stored ?? DEFAULT_STATE).settings).custom ?? {};
  const isSame = ([name, value]: readonly [string, unknown]) =>
    Object.hasOwn(now, name) && isSameValue(value, now[name]);
  const entries = Object.entries(custom);
  const same = entries.filter(isSame);
  if (same.length === 0) return undefined;
  const others = Object.fromEntries(entries.filter((entry) => !isSame(entry)));
  return {
    input: replaced(input, path, () => others),
    withAll: (data) => replaced(data, path, (validated) => ({ ...Object.fromEntries(same), ...(validated as object) })),
  };
}

function replaced(value: unknown, [name, ...rest]: readonly string[], replace: (old: unknown) => unknown): unknown {
  if (name === undefined) return replace(value);
  const object = value as Readonly<Record<string, unknown>>;
  return { ...object, [name]: replaced(object[name], rest, replace) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
