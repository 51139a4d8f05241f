import { SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import { action } from '../../framework/command.ts';
import { requirePermission } from '../../framework/guards.ts';
import { rest } from '../../framework/options.ts';
import { parseItem } from '../../settings/parse-setting.ts';
import { addItem, removeItem } from './change-list.ts';
import { suggestFeatures } from './suggestions.ts';

const [FEATURES] = SPECIFIED_SETTINGS.all.filter(({ declared }) => declared.open !== undefined);

/** Switches one feature on, or off. The others stay as they are. */
function switchFeature(wanted: 'on' | 'off') {
  return action({
    options: { feature: rest(64) },
    guard: requirePermission,
    async run(use) {
      const { invocation, options, services } = use;
      if (FEATURES === undefined) throw new Error('Expected a setting of the features');
      const name = await parseItem(FEATURES, options.feature, { ...invocation, channels: services.channels });
      if (wanted === 'on') return addItem(use, FEATURES, name, 'settings enable');
      return removeItem(use, FEATURES, options.feature, (item) => item === name, 'settings disable');
    },
    suggest: {
      feature: ({ typed, translator, invocation }) =>
        suggestFeatures(typed, translator, invocation.settings.enabledFeatures, wanted === 'on' ? 'off' : 'on'),
    },
  });
}

/** Switches a feature on. */
export const enable = switchFeature('on');

/** Switches a feature off. */
export const disable = switchFeature('off');
