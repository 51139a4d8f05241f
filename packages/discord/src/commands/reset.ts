import { patchOf } from '@guild-settings/contract/settings';
import { settingOrAll } from '../framework/options.ts';
import { isLocked } from '../settings/setting-texts.ts';
import { changeSettings, requireUnlocked } from './change-settings.ts';
import { requirePermission } from './require-permission.ts';
import { action } from './services.ts';
import { suggestSettings } from './suggestions.ts';

export const reset = action({
  options: { setting: settingOrAll() },
  guard: requirePermission,
  run(use) {
    const { invocation, options } = use;
    const { setting } = options;
    if (setting !== 'all') requireUnlocked(setting, invocation);
    const { all, tag } = invocation.translator.settings;
    const settings = setting === 'all' ? all.filter((one) => !isLocked(one)) : [setting];
    // Without a declaration, defaults never change, and settings cannot follow them.
    const patch = patchOf(settings.map((one) => [one, tag === undefined ? one.default : null]));
    // 1.0.0 only accepted null for settings of a team.
    const forEarlier = patchOf(settings.map((one) => [one, one.place === 'record' ? one.default : null]));
    return changeSettings(use, () => patch, tag === undefined ? undefined : () => forEarlier);
  },
  suggest: {
    setting({ typed, translator }) {
      const all = { name: translator.word('all'), value: 'all' };
      const settings = suggestSettings(typed, translator, (setting) => !isLocked(setting));
      return typed === '' || all.name.startsWith(typed.toLowerCase()) ? [all, ...settings] : settings;
    },
  },
});
