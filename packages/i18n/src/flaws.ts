import { LIMITS } from '@guild-settings/contract/constants';
import {
  type Flaw,
  type Setting,
  type SettingValue,
  SPECIFIED_SETTINGS,
  flawsOf as settingFlaws,
  textFlaws,
  valueIn,
} from '@guild-settings/contract/settings';
import { ownText, type Words } from './words.ts';

/** Flaws that are shown before others of the same value, the first ones first. */
const SHOWN_FIRST: readonly Flaw['key'][] = ['tooMany', 'tooLong', 'unprintable'];

/** Returns the length of a text as the service counts it: in code points, so that an emoji is one. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** Returns why the service would refuse a value. The service validates it as well: this saves a request. */
export function flawOf(setting: Setting, value: SettingValue): Flaw | undefined {
  return firstOf(settingFlaws(setting, value));
}

/** Returns why the service would refuse some settings, for each field. */
export function flawsOf(settings: object, { all } = SPECIFIED_SETTINGS): Readonly<Record<string, Flaw | undefined>> {
  const flaws = all.map((setting) => {
    const value = valueIn(settings, setting);
    return [setting.field, value === undefined ? undefined : flawOf(setting, value)] as const;
  });
  return Object.fromEntries(flaws.filter(([, flaw]) => flaw !== undefined));
}

/** Returns why the service would refuse the reason of a change. */
export function reasonFlaw(reason: string): Flaw | undefined {
  return firstOf(textFlaws(reason, { max: LIMITS.reason }));
}

/** Returns the text that explains a flaw. @param field the field with the flaw, which may have a text of its own */
export function flawText(flaw: Flaw, words: Pick<Words, 'shared'>, field?: string): string {
  return ownText(words, [`flawIn.${field}.${flaw.key}`], `flaw.${flaw.key}`, { ...flaw });
}

function firstOf(flaws: readonly Flaw[]): Flaw | undefined {
  const first = SHOWN_FIRST.map((key) => flaws.find((flaw) => flaw.key === key)).find((flaw) => flaw !== undefined);
  return first ?? flaws[0];
}
