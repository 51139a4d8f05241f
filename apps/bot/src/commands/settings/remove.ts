import { action } from '../../framework/command.ts';
import { requirePermission } from '../../framework/guards.ts';
import { rest, setting } from '../../framework/options.ts';
import { removeItem, requireList, typedList } from './change-list.ts';
import { suggestItems, suggestSettings } from './suggestions.ts';

const MAX_ITEM = 100;

export const remove = action({
  options: { setting: setting(true), item: rest(MAX_ITEM) },
  guard: requirePermission,
  run(use) {
    const { setting: list, item } = use.options;
    requireList(list, use);
    return removeItem(use, list, item);
  },
  suggest: {
    setting: ({ typed, translator }) => suggestSettings(typed, translator, ({ many }) => many !== undefined),
    item(typing) {
      const found = typedList(typing);
      return found === undefined ? [] : suggestItems(found.list, typing.typed, found.items, typing);
    },
  },
});
