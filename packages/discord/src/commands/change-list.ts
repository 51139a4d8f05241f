import {
  type Item,
  isSameValue,
  named,
  patchOf,
  type Setting,
  stored,
  valueIn,
} from '@guild-settings/contract/settings';
import { choiceText, shorten, valueParts } from '@guild-settings/i18n';
import { type OptionSet, offeredName, rest, setting } from '../framework/options.ts';
import { code, didYouMean, nearest, Refusal } from '../i18n/text.ts';
import type { Translator } from '../i18n/translator.ts';
import { finder, thingsFor } from '../settings/named-things.ts';
import { parseItem, readItem, withFeatures } from '../settings/parse-setting.ts';
import type { PermittedUser } from '../settings/service.ts';
import { FEATURE_LIST, findSetting, markdown, settingName, settingText, typedItem } from '../settings/setting-texts.ts';
import { changeSettings, requireTypeable, requireUnlocked } from './change-settings.ts';
import { requirePermission } from './require-permission.ts';
import { action, type Typing, type Use } from './services.ts';
import { suggestItems, suggestNewItems, suggestSettings } from './suggestions.ts';

const MAX_ITEM = 100;

export const add = action({
  options: { setting: setting(true), item: rest(MAX_ITEM) },
  guard: requirePermission,
  async run(use) {
    const { invocation, options, services } = use;
    requireList(options.setting, use);
    const item = await parseItem(options.setting, options.item, { ...invocation, channels: services.channels });
    return addItem(use, options.setting, item);
  },
  suggest: {
    setting: ({ typed, translator }) => suggestSettings(typed, translator, isTypedList),
    item(typing) {
      const found = typedList(typing);
      return found === undefined ? [] : suggestNewItems(found.list, typing.typed, found.items, typing);
    },
  },
});

export const remove = action({
  options: { setting: setting(true), item: rest(MAX_ITEM) },
  guard: requirePermission,
  run(use) {
    const { setting: list, item } = use.options;
    requireList(list, use);
    return removeItem(use, list, item);
  },
  suggest: {
    setting: ({ typed, translator }) => suggestSettings(typed, translator, isTypedList),
    item(typing) {
      const found = typedList(typing);
      return found === undefined ? [] : suggestItems(found.list, typing.typed, found.items, typing);
    },
  },
});

function switchFeature(wanted: 'on' | 'off') {
  return action({
    options: { feature: rest(64) },
    guard: requirePermission,
    async run(use) {
      const { invocation, options, services } = use;
      if (wanted === 'off') return removeItem(use, FEATURE_LIST, options.feature);
      const name = await parseItem(FEATURE_LIST, options.feature, { ...invocation, channels: services.channels });
      return addItem(use, FEATURE_LIST, name);
    },
    suggest: {
      feature({ typed, ...reader }) {
        const items = itemsOf(reader.invocation.settings, FEATURE_LIST);
        if (wanted === 'off') return suggestItems(FEATURE_LIST, typed, items, reader);
        return suggestNewItems(FEATURE_LIST, typed, items, reader);
      },
    },
  });
}

export const enable = switchFeature('on');

export const disable = switchFeature('off');

function addItem(use: Use<OptionSet, PermittedUser>, list: Setting, item: Item) {
  return changeSettings(use, (before) => {
    const items = itemsOf(before, list);
    return patchOf([[list, stored(list, [...items, item] as readonly string[])]]);
  });
}

/**
 * Removes the item that a person has named from a list: the one that was typed, else the only one that differs from it in case,
 * width or accents.
 * @throws Refusal when the list does not have it, or several that it may be
 */
async function removeItem(use: Use<OptionSet, PermittedUser>, list: Setting, typed: string) {
  const { translator } = use.invocation;
  const namer = { ...use.invocation, channels: use.services.channels };
  const find = await finder(list, typed, namer);
  const textOf = (items: readonly Item[]) => find?.(typed, items) ?? typed;
  let meant: Item | undefined;
  return changeSettings(use, (before) => {
    const items = itemsOf(before, list);
    const found = itemsNamed(textOf(items), list, items, translator);
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
    const things = thingsFor(list, namer).filter(({ value: one }) => items.includes(one));
    const names = items.flatMap((one) => itemNames(one, list, translator));
    const similar = nearest(typed, [...names, ...things.flatMap((thing) => thing.names)]);
    const lines = [translator.t('settings.notInList', { item, setting, value }), ...didYouMean(similar, translator)];
    throw new Refusal(lines.join('\n'));
  });
}

/** Returns the items that a text names. One that no longer exists in Discord can be named by its mention. */
function itemsNamed(typed: string, list: Setting, items: readonly Item[], translator: Translator): readonly Item[] {
  const isText = list.declared.kind === 'text' || list.declared.kind === 'choice';
  const exact = isText ? typed.trim() : readItem(list, typed, { translator });
  const found = items.find((item) => isSameValue(item, exact, list));
  return found !== undefined ? [found] : named(typed, items, (item) => itemNames(item, list, translator));
}

function itemNames(item: Item, list: Setting, translator: Translator): string[] {
  const known = withFeatures(list, translator);
  return [typedItem(list, item), choiceText(known, String(item), translator.language)];
}

/** @throws Refusal unless the setting is a list that people can change */
function requireList(
  setting: Setting,
  { invocation, services }: Pick<Use<OptionSet, PermittedUser>, 'invocation' | 'services'>,
): void {
  const { translator } = invocation;
  requireUnlocked(setting, invocation);
  requireTypeable(setting, invocation, services);
  if (setting.many !== undefined) return;
  const command = offeredName(invocation, ['settings', 'set'], setting.name);
  const name = { setting: settingName(setting, translator) };
  throw new Refusal(
    command === undefined
      ? translator.t('settings.noList', name)
      : translator.t('settings.notList', { ...name, command }),
  );
}

function isTypedList({ many, columns }: Setting): boolean {
  return many !== undefined && columns === undefined;
}

function typedList({ values, translator, invocation }: Typing) {
  const list = findSetting(String(values.setting ?? ''), translator);
  return list === undefined || !isTypedList(list) ? undefined : { list, items: itemsOf(invocation.settings, list) };
}

function itemsOf(settings: object, list: Setting): readonly Item[] {
  return [valueIn(settings, list) ?? list.default].flat() as readonly Item[];
}
