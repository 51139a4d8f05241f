import { action } from '../../framework/command.ts';
import { requirePermission } from '../../framework/guards.ts';
import { rest } from '../../framework/options.ts';
import { FEATURE_LIST } from '../../settings/features.ts';
import { parseItem } from '../../settings/parse-setting.ts';
import { addItem, itemsOf, removeItem } from './change-list.ts';
import { suggestItems, suggestNewItems } from './suggestions.ts';

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
        return suggestNewItems(FEATURE_LIST, typed, reader.translator, items);
      },
    },
  });
}

export const enable = switchFeature('on');

export const disable = switchFeature('off');
