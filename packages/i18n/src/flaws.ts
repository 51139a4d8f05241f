import { LIMITS } from '@guild-settings/contract/constants';
import {
  type Flaw,
  type Setting,
  type SettingValue,
  flawsOf as settingFlaws,
  textFlaws,
} from '@guild-settings/contract/settings';
import { numberText } from './value.ts';
import { ownText, type Words } from './words.ts';

/** A reason why a value is not valid, with the parts that its text shows. */
export type ShownFlaw = Pick<Flaw, 'key' | 'count' | 'codePoint'>;

/** Flaws that are shown before others of the same value, the first ones first. */
const SHOWN_FIRST: readonly Flaw['key'][] = ['tooMany', 'tooLong', 'lineBreak', 'unprintable'];

/** Flaws of an open list that are shown. Its names are not typed one by one: the service and the bot explain the others. */
const SHOWN_OF_NAMES: readonly Flaw['key'][] = ['tooMany', 'invisible'];

/** Returns the length of a text as the service counts it: in code points, so that an emoji is one. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/**
 * Returns why the service would refuse a value. The service validates it as well: this saves a request.
 * @param guildId the guild, whose role @everyone is refused
 */
export function flawOf(setting: Setting, value: SettingValue, guildId?: string): ShownFlaw | undefined {
  const flaws = settingFlaws(setting, value, guildId);
  const isOpen = setting.declared.open !== undefined;
  return firstOf(isOpen ? flaws.filter(({ key }) => SHOWN_OF_NAMES.includes(key)) : flaws);
}

export function reasonFlaw(reason: string): ShownFlaw | undefined {
  return firstOf(textFlaws(reason, { max: LIMITS.reason }));
}

/** Returns the text that explains a flaw. @param setting the setting with the flaw, which may have a text of its own */
export function flawText({ key, ...flaw }: ShownFlaw, words: Words, setting?: Setting): string {
  const isLimit = setting !== undefined && (key === 'tooSmall' || key === 'tooLarge');
  const count = isLimit ? numberText(setting, flaw.count, words.language) : flaw.count;
  return ownText(words, [`flawIn.${setting?.field}.${key}`], `flaw.${key}`, { ...flaw, count });
}

function firstOf(flaws: readonly Flaw[]): ShownFlaw | undefined {
  const [first] = [...SHOWN_FIRST.flatMap((key) => flaws.filter((flaw) => flaw.key === key)), ...flaws];
  if (first === undefined) return undefined;
  const { key, count, codePoint } = first;
  return { key, count, ...(codePoint !== undefined && { codePoint }) };
}
