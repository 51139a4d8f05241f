import {
  type Item,
  isSameValue,
  named,
  patchOf,
  type Setting,
  stored,
  valueIn,
} from '@guild-settings/contract/settings';
import { shorten, valueParts } from '@guild-settings/i18n';
import { anyRest, type OptionSet, offeredName, rest, setting } from '../framework/options.ts';
import { code, didYouMean, nearest, Refusal } from '../i18n/text.ts';
import type { Translator } from '../i18n/translator.ts';
import { finder, thingsFor } from '../settings/named-things.ts';
import { itemNames, parseFilledIn, parseItem, readItem } from '../settings/parse-setting.ts';
import type { PermittedUser } from '../settings/service.ts';
import { FEATURE_LIST, findSetting, markdown, settingName, settingText } from '../settings/setting-texts.ts';
import { parseRow, rowsOf } from '../settings/table-rows.ts';
import { addRow, addTyped, removeRow } from './change-rows.ts';
import { changeSettings, requireLength, requireUnlocked } from './change-settings.ts';
import { formSetting, missingValue } from './form-replies.ts';
import { requirePermission } from './require-permission.ts';
import { action, type Typing, type Use } from './services.ts';
import { itemForm, VALUE_FIELD } from './setting-form.ts';
import { suggestItems, suggestNewItems, suggestRows, suggestSettings } from './suggestions.ts';

const MAX_ITEM = 100;

const ADD_OPTIONS = { setting: setting(true), item: anyRest(MAX_ITEM) };

export const add = action({
  options: ADD_OPTIONS,
  guard: requirePermission,
  async run(use) {
    const { invocation, options, services } = use;
    const { setting: list, item: typed = '' } = options;
    requireList(list, use);
    const given = typed.trim() === '' ? undefined : typed;
    if (list.columns !== undefined) return addTyped(use, list, given);
    const context = { ...invocation, channels: services.channels };
    if (given !== undefined) return addItem(use, list, await parseItem(list, given, context));
    requireLength(list, itemsOf(invocation.settings, list).length + 1, invocation.translator);
    const form = itemForm(list, { ...context, translator: invocation.ownTranslator ?? invocation.translator });
    return {
      content: missingValue('add', ADD_OPTIONS, { setting: list, invocation, services }),
      ...(form && { form }),
    };
  },
  suggest: {
    setting: ({ typed, translator }) => suggestSettings(typed, translator, isList),
    item(typing) {
      const found = typedList(typing);
      return found === undefined ? [] : suggestNewItems(found.list, typing.typed, found.items, typing);
    },
  },
  async submit({ values, filledIn, ...use }) {
    const { invocation, services } = use;
    const list = formSetting(invocation, values);
    requireList(list, use);
    const context = { ...invocation, channels: services.channels };
    if (list.columns !== undefined) return addRow(use, list, await parseRow(list, filledIn, parseFilledIn, context));
    const [item = ''] = [filledIn[VALUE_FIELD] ?? ''].flat();
    return addItem(use, list, await parseItem(list, item, context));
  },
});

export const remove = action({
  options: { setting: setting(true), item: rest(MAX_ITEM) },
  guard: requirePermission,
  run(use) {
    const { setting: list, item } = use.options;
    requireList(list, use);
    return list.columns === undefined ? removeItem(use, list, item) : removeRow(use, list, item);
  },
  suggest: {
    setting: ({ typed, translator }) => suggestSettings(typed, translator, isList),
    item(typing) {
      const found = typedList(typing);
      if (found === undefined) return [];
      const { list, items } = found;
      if (list.columns !== undefined)
        return suggestRows(list, typing.typed, rowsOf(typing.invocation.settings, list), typing);
      return suggestItems(list, typing.typed, items, typing);
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

function addItem(use: Omit<Use<OptionSet, PermittedUser>, 'options'>, list: Setting, item: Item) {
  const { translator } = use.invocation;
  return changeSettings(use, (before) => {
    const items = stored(list, [...itemsOf(before, list), item] as readonly string[]);
    requireLength(list, (items as readonly Item[]).length, translator);
    return patchOf([[list, items]]);
  });
}

/**
 * Removes the named item from a list: the one that was typed, otherwise the only one that differs from it in case,
 * width or accents.
 * @throws Refusal when the item is not in the list, or is ambiguous
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
    // Items that others add meanwhile were not visible to the person.
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
    const names = items.flatMap((one) => itemNames(list, one, translator));
    const similar = nearest(typed, [...names, ...things.flatMap((thing) => thing.names)]);
    const lines = [translator.t('settings.notInList', { item, setting, value }), ...didYouMean(similar, translator)];
    throw new Refusal(lines.join('\n'));
  });
}

/** Returns the items named by a text. An item that no longer exists in Discord can be named by its mention. */
function itemsNamed(typed: string, list: Setting, items: readonly Item[], translator: Translator): readonly Item[] {
  const isText = list.declared.kind === 'text' || list.declared.kind === 'choice';
  const exact = isText ? typed.trim() : readItem(list, typed, { translator });
  const found = items.find((item) => isSameValue(item, exact, list));
  return found !== undefined ? [found] : named(typed, items, (item) => itemNames(list, item, translator));
}

/** @throws Refusal unless the setting is a list that people can change */
function requireList(setting: Setting, { invocation }: Pick<Use<OptionSet, PermittedUser>, 'invocation'>): void {
  const { translator } = invocation;
  requireUnlocked(setting, invocation);
  if (setting.many !== undefined) return;
  const command = offeredName(invocation, ['settings', 'set'], setting.name);
  const name = { setting: settingName(setting, translator) };
  throw new Refusal(
    command === undefined
      ? translator.t('settings.noList', name)
      : translator.t('settings.notList', { ...name, command }),
  );
}

function isList({ many }: Setting): boolean {
  return many !== undefined;
}

function typedList({ values, translator, invocation }: Typing) {
  const list = findSetting(String(values.setting ?? ''), translator);
  return list === undefined || !isList(list) ? undefined : { list, items: itemsOf(invocation.settings, list) };
}

function itemsOf(settings: object, list: Setting): readonly Item[] {
  return [valueIn(settings, list) ?? list.default].flat() as readonly Item[];
}
