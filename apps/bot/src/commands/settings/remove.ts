import { folded, type Item } from '@guild-settings/contract/settings';
import { action } from '../../framework/command.ts';
import { requirePermission } from '../../framework/guards.ts';
import { rest, setting } from '../../framework/options.ts';
import { Refusal } from '../../i18n/text.ts';
import { parseItem } from '../../settings/parse-setting.ts';
import { typedItem } from '../../settings/typed-value.ts';
import { removeItem, requireList, typedList } from './change-list.ts';
import { suggestItems, suggestSettings } from './suggestions.ts';

const MAX_ITEM = 100;

export const remove = action({
  options: { setting: setting(true), item: rest(MAX_ITEM) },
  guard: requirePermission,
  async run(use) {
    const { invocation, options, services } = use;
    const { setting: list, item: typed } = options;
    requireList(list, use);
    const context = { ...invocation, channels: services.channels };
    const parsed = await parseItem(list, typed, context).catch((error: unknown) => {
      if (error instanceof Refusal) return undefined;
      throw error;
    });
    const isMeant = (item: Item) => item === parsed || folded(typedItem(list, item)) === folded(typed.trim());
    return removeItem(use, list, typed, isMeant);
  },
  suggest: {
    setting: ({ typed, translator }) => suggestSettings(typed, translator, ({ many }) => many !== undefined),
    item(typing) {
      const found = typedList(typing);
      return found === undefined ? [] : suggestItems(found.list, typing.typed, typing.translator, found.items);
    },
  },
});
