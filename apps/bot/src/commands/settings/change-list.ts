import { type Item, named, patchOf, type Setting, valueIn } from '@guild-settings/contract/settings';
import { choiceText, shorten, valueParts } from '@guild-settings/i18n';
import type { Typing, Use } from '../../framework/command.ts';
import { nameOf } from '../../framework/command-texts.ts';
import type { OptionSet } from '../../framework/options.ts';
import { nearest } from '../../i18n/nearest.ts';
import { code, didYouMean, Refusal } from '../../i18n/text.ts';
import type { Translator } from '../../i18n/translator.ts';
import { findSetting } from '../../settings/find-setting.ts';
import { readItem, withFeatures } from '../../settings/parse-setting.ts';
import type { PermittedUser } from '../../settings/permitted-user.ts';
import { markdown, settingName, settingText } from '../../settings/setting-texts.ts';
import { typedItem } from '../../settings/typed-value.ts';
import { changeSettings, requireUnlocked } from './change-settings.ts';

export function addItem(use: Use<OptionSet, PermittedUser>, list: Setting, item: Item) {
  return changeSettings(use, (before) => {
    const items = itemsOf(before, list);
    return patchOf([[list, (items.includes(item) ? items : [...items, item]) as readonly string[]]]);
  });
}

/**
 * Removes the item that a person has named from a list: the one that was typed, else the only one that differs from it in case,
 * width or accents.
 * @throws Refusal when the list does not have it, or several that it may be
 */
export function removeItem(use: Use<OptionSet, PermittedUser>, list: Setting, typed: string) {
  const { translator } = use.invocation;
  let meant: Item | undefined;
  return changeSettings(use, (before) => {
    const items = itemsOf(before, list);
    const found = itemsNamed(typed, list, items, translator);
    // The person did not see an item that others add meanwhile.
    meant ??= found.length === 1 ? found[0] : undefined;
    if (meant !== undefined && items.includes(meant)) {
      return patchOf([[list, items.filter((item) => item !== meant) as readonly string[]]]);
    }
    const setting = settingName(list, translator);
    const item = code(shorten(typed));
    if (found.length > 1) {
      const values = markdown(valueParts(list.field, found, translator), translator);
      throw new Refusal(translator.t('settings.severalInList', { item, setting, values }));
    }
    const value = settingText(list, before, translator);
    const similar = nearest(
      typed,
      items.flatMap((one) => namesOf(one, list, translator)),
    );
    const lines = [translator.t('settings.notInList', { item, setting, value }), ...didYouMean(similar, translator)];
    throw new Refusal(lines.join('\n'));
  });
}

/** Returns the items that a text names. One that no longer exists in Discord can be named by its mention. */
function itemsNamed(typed: string, list: Setting, items: readonly Item[], translator: Translator): readonly Item[] {
  const isText = list.declared.kind === 'text' || list.declared.kind === 'choice';
  const exact = isText ? typed.trim() : readItem(list, typed, { translator });
  return exact !== undefined && items.includes(exact)
    ? [exact]
    : named(typed, items, (item) => namesOf(item, list, translator));
}

function namesOf(item: Item, list: Setting, translator: Translator): string[] {
  const known = withFeatures(list, translator);
  return [typedItem(list, item), choiceText(known, String(item), translator.language)];
}

/** @throws Refusal unless the setting is a list that people can change */
export function requireList(setting: Setting, { invocation }: Pick<Use<OptionSet, PermittedUser>, 'invocation'>): void {
  const { translator } = invocation;
  requireUnlocked(setting, invocation);
  if (setting.many !== undefined) return;
  const command = nameOf(invocation, ['settings', 'set'], setting.name);
  throw new Refusal(translator.t('settings.notList', { setting: settingName(setting, translator), command }));
}

export function typedList({ values, translator, invocation }: Typing) {
  const list = findSetting(String(values.setting ?? ''), translator);
  return list?.many === undefined ? undefined : { list, items: itemsOf(invocation.settings, list) };
}

export function itemsOf(settings: object, list: Setting): readonly Item[] {
  return [valueIn(settings, list) ?? list.default].flat() as readonly Item[];
}
