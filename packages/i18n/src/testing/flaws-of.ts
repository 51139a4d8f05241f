import { SPECIFIED_SETTINGS, valueIn } from '@guild-settings/contract/settings';
import { flawOf, type ShownFlaw } from '../flaws.ts';

/** Returns why the service would refuse some settings, for each field. */
export function flawsOf(settings: object): Readonly<Record<string, ShownFlaw>> {
  const flaws = SPECIFIED_SETTINGS.all.flatMap((setting) => {
    const value = valueIn(settings, setting);
    const flaw = value === undefined ? undefined : flawOf(setting, value);
    return flaw === undefined ? [] : [[setting.field, flaw] as const];
  });
  return Object.fromEntries(flaws);
}
