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
      const name = await parseItem(FEATURE_LIST, options.feature, { ...invocation, channels: services.channels });
      if (wanted === 'on') return addItem(use, FEATURE_LIST, name);
      return removeItem(use, FEATURE_LIST, options.feature, (item) => item === name);
    },
    suggest: {
      feature({ typed, translator, invocation }) {
        const suggestOf = wanted === 'on' ? suggestNewItems : suggestItems;
        return suggestOf(FEATURE_LIST, typed, translator, itemsOf(invocation.settings, FEATURE_LIST));
      },
    },
  });
}

export const enable = switchFeature('on');

export const disable = switchFeature('off');
