import { patchOf } from '@guild-settings/contract/settings';
import { action } from '../../framework/command.ts';
import { requirePermission } from '../../framework/guards.ts';
import { choice } from '../../framework/options.ts';
import { SETTING_NAMES, SETTINGS } from '../../settings/setting-texts.ts';
import { changeSettings } from './change-settings.ts';

/** Resets one setting, or all of them, to the defaults. */
export const reset = action({
  options: { setting: choice(true, [...SETTING_NAMES, 'all']) },
  guard: requirePermission,
  run(use) {
    const { setting } = use.options;
    const reset = SETTINGS.filter(({ field }) => setting === 'all' || field === setting);
    return changeSettings(use, patchOf(reset.map((one) => [one, one.default])), 'settings reset');
  },
});
