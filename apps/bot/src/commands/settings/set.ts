import { action } from '../../framework/command.ts';
import { requirePermission } from '../../framework/guards.ts';
import { choice, rest } from '../../framework/options.ts';
import { parseSetting } from '../../settings/parse-setting.ts';
import { SETTING_NAMES, settingNamed } from '../../settings/setting-texts.ts';
import { changeSettings } from './change-settings.ts';

/** Changes one setting. */
export const set = action({
  options: { setting: choice(true, SETTING_NAMES), value: rest(1_000, { mayBeBlank: true }) },
  guard: requirePermission,
  async run(use) {
    const { invocation, options, services } = use;
    const setting = settingNamed(options.setting);
    const patch = await parseSetting(setting, options.value, { ...invocation, channels: services.channels });
    return changeSettings(use, patch, 'settings set');
  },
});
