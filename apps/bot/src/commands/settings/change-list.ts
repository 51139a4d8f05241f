import { type Item, isSameValue, patchOf, type Setting, valueIn } from '@guild-settings/contract/settings';
import { shorten } from '@guild-settings/i18n';
import type { Typing, Use } from '../../framework/command.ts';
import { nameOf } from '../../framework/command-texts.ts';
import type { OptionSet } from '../../framework/options.ts';
import { code, Refusal } from '../../i18n/text.ts';
import { findSetting } from '../../settings/find-setting.ts';
import type { PermittedUser } from '../../settings/permitted-user.ts';
import { settingName, settingText } from '../../settings/setting-texts.ts';
import { changeSettings, requireUnlocked } from './change-settings.ts';

export function addItem(use: Use<OptionSet, PermittedUser>, list: Setting, item: Item) {
  return changeSettings(use, (before) => {
    const items = itemsOf(before, list);
    return patchOf([[list, (items.includes(item) ? items : [...items, item]) as readonly string[]]]);
  });
}

/**
 * Removes an item from a list.
 * @param isMeant whether an item is the one that was named
 * @throws Refusal when the list does not have it
 */
export function removeItem(
  use: Use<OptionSet, PermittedUser>,
  list: Setting,
  typed: string,
  isMeant: (item: Item) => boolean,
) {
  const { translator } = use.invocation;
  return changeSettings(use, (before) => {
    const items = itemsOf(before, list);
    const kept = items.filter((item) => !isMeant(item));
    if (isSameValue(items, kept)) {
      const setting = settingName(list, translator);
      const value = settingText(list, before, translator);
      throw new Refusal(translator.t('settings.notInList', { item: code(shorten(typed)), setting, value }));
    }
    return patchOf([[list, kept as readonly string[]]]);
  });
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
