import { SETTING_NAMES, settingText } from '../../settings/setting-texts.ts';
import { action } from '../command.ts';
import { wordFor } from '../command-texts.ts';
import { requireManager } from '../guards.ts';

/** Shows the settings as the bot uses them, and says so when they may be out of date. */
export const show = action({
  options: {},
  guard: requireManager,
  run({ invocation: { settings, speech }, services: { replica } }) {
    const lines = SETTING_NAMES.map(
      (name) => `**${wordFor(speech.language, name)}**: ${settingText(name, settings, speech)}`,
    );
    const { status } = replica;
    const stale =
      status.state === 'STALE'
        ? [speech.t('about.stale', { since: speech.moment(status.since.getTime(), 'UTC') })]
        : [];
    return [speech.t('settings.title'), ...lines, ...stale].join('\n');
  },
});
