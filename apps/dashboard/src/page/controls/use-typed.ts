import type { SettingValue } from '@guild-settings/contract/settings';
import { useState } from 'react';

/**
 * Keeps what is typed as it is until the field is left: `1h 3` is on its way to `1h 30m`, and `-0` to `-05`. Written anew with each key,
 * it would become another value.
 * @param textOf returns a value that was not typed here
 * @param meant returns the value that is typed, or the text itself where it is none
 */
export function useTyped(
  value: SettingValue,
  textOf: (value: SettingValue) => string,
  meant: (typed: string) => SettingValue,
) {
  const [typed, setTyped] = useState<string>();
  const isTyped = typed !== undefined && meant(typed) === value;
  return { text: isTyped ? typed : textOf(value), type: setTyped, leave: () => setTyped(undefined) };
}
