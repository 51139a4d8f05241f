import type { Setting } from '@guild-settings/contract/settings';
import { patchOf } from '@guild-settings/contract/settings';
import { action } from '../../framework/command.ts';
import { requirePermission } from '../../framework/guards.ts';
import { settingOrAll } from '../../framework/options.ts';
import { wordFor } from '../../i18n/text.ts';
import { isLocked } from '../../settings/setting-texts.ts';
import type { SettingsPatch } from '../../settings/settings-writer.ts';
import { changeSettings, requireUnlocked } from './change-settings.ts';
import { suggestSettings } from './suggestions.ts';

export const reset = action({
  options: { setting: settingOrAll() },
  guard: requirePermission,
  run(use) {
    const { invocation, options } = use;
    const { setting } = options;
    if (setting !== 'all') requireUnlocked(setting, invocation);
    const { all } = invocation.translator.settings;
    const patch = resetPatch(setting === 'all' ? all.filter((one) => !isLocked(one)) : [setting]);
    return changeSettings(use, () => patch);
  },
  suggest: {
    setting({ typed, translator }) {
      const all = { name: wordFor(translator.language, 'all'), value: 'all' };
      const settings = suggestSettings(typed, translator, (setting) => !isLocked(setting));
      return typed === '' || all.name.startsWith(typed.toLowerCase()) ? [all, ...settings] : settings;
    },
  },
});

/** Returns the patch that resets settings: those of the specification have no other way back than their defaults. */
function resetPatch(settings: readonly Setting[]): SettingsPatch {
  const specified = settings.filter(({ place }) => place === 'record');
  const custom = settings.filter(({ place }) => place === 'custom').map(({ name }) => [name, null]);
  return {
    ...patchOf(specified.map((one) => [one, one.default])),
    ...(custom.length > 0 && { custom: Object.fromEntries(custom) }),
  };
}
