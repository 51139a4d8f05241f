import { action } from '../../framework/command.ts';
import { requirePermission } from '../../framework/guards.ts';
import { rest, setting } from '../../framework/options.ts';
import { parseItem } from '../../settings/parse-setting.ts';
import { addItem, requireList, typedList } from './change-list.ts';
import { suggestNewItems, suggestSettings } from './suggestions.ts';

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
    setting: ({ typed, translator }) => suggestSettings(typed, translator, ({ many }) => many !== undefined),
    item(typing) {
      const found = typedList(typing);
      return found === undefined ? [] : suggestNewItems(found.list, typing.typed, typing.translator, found.items);
    },
  },
});
