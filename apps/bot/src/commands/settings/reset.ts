import { DEFAULT_SETTINGS } from '@guild-settings/contract';
import { action } from '../../framework/command.ts';
import { requireManager } from '../../framework/guards.ts';
import { choice } from '../../framework/options.ts';
import { SETTING_NAMES } from '../../settings/setting-texts.ts';
import { changeSettings } from './change-settings.ts';

/** Resets one setting, or all of them, to the defaults. */
export const reset = action({
  options: { setting: choice(true, [...SETTING_NAMES, 'all']) },
  guard: requireManager,
  run(use) {
    const { setting } = use.options;
    const patch = setting === 'all' ? { ...DEFAULT_SETTINGS } : { [setting]: DEFAULT_SETTINGS[setting] };
    return changeSettings(use, patch, 'settings reset');
  },
});
