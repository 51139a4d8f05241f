import { action } from '../../framework/command.ts';
import { requirePermission } from '../../framework/guards.ts';
import { wordFor } from '../../i18n/text.ts';
import { SETTING_NAMES, settingText } from '../../settings/setting-texts.ts';

/** Shows the settings in use, and since when they are stale. */
export const show = action({
  options: {},
  guard: requirePermission,
  run({ invocation: { settings, translator }, services: { replica } }) {
    const lines = SETTING_NAMES.map(
      (name) => `**${wordFor(translator.language, name)}**: ${settingText(name, settings, translator)}`,
    );
    const { status } = replica;
    const stale =
      status.state === 'STALE'
        ? [translator.t('about.stale', { since: translator.moment(status.since.getTime(), 'UTC') })]
        : [];
    return [translator.t('settings.title'), ...lines, ...stale].join('\n');
  },
});
