import { patchOf, type Setting } from '@guild-settings/contract/settings';
import { shorten } from '@guild-settings/i18n';
import { action, type Services } from '../../framework/command.ts';
import { nameOf, slashNameOf, usageOf } from '../../framework/command-texts.ts';
import { requirePermission } from '../../framework/guards.ts';
import type { Invocation, Reply } from '../../framework/invocation.ts';
import { anyRest, setting as anySetting } from '../../framework/options.ts';
import { code, Refusal } from '../../i18n/text.ts';
import { findSetting } from '../../settings/find-setting.ts';
import { parseFilledIn, parseSetting } from '../../settings/parse-setting.ts';
import { settingName } from '../../settings/setting-texts.ts';
import { changeSettings, requireUnlocked } from './change-settings.ts';
import { pageLines } from './page-lines.ts';
import { settingForm } from './setting-form.ts';
import { suggestSettings, suggestValues } from './suggestions.ts';

/** Discord's limit for a text of a form. */
const MAX_VALUE = 4_000;

const OPTIONS = { setting: anySetting(true), value: anyRest(MAX_VALUE) };

export const set = action({
  options: OPTIONS,
  guard: requirePermission,
  async run(use) {
    const { invocation, options, services } = use;
    const { setting, value } = options;
    requireUnlocked(setting, invocation);
    if (value === undefined) return formReply(setting, invocation, services);
    const parsed = await parseSetting(setting, value, { ...invocation, channels: services.channels });
    return changeSettings(use, () => patchOf([[setting, parsed]]));
  },
  suggest: {
    setting: ({ typed, translator }) => suggestSettings(typed, translator),
    value({ typed, values, ...reader }) {
      const setting = findSetting(String(values.setting ?? ''), reader.translator);
      return setting === undefined ? [] : suggestValues(setting, typed, reader);
    },
  },
  async submit({ values, filledIn, ...use }) {
    const { invocation, services } = use;
    const setting = settingOf(invocation, values);
    requireUnlocked(setting, invocation);
    const parsed = await parseFilledIn(setting, filledIn, { ...invocation, channels: services.channels });
    return changeSettings(use, () => patchOf([[setting, parsed]]));
  },
});

/** Returns the form for a setting; what a message can do instead is said in the reply. */
function formReply(setting: Setting, invocation: Invocation, services: Services): Reply {
  const { t } = invocation.translator;
  const form = settingForm(setting, { ...invocation, channels: services.channels });
  const why =
    form === undefined
      ? t('settings.tooLongForForm', {
          setting: settingName(setting, invocation.translator),
          add: slashNameOf(invocation, ['settings', 'add']),
          remove: slashNameOf(invocation, ['settings', 'remove']),
        })
      : t('settings.noValue', {
          usage: usageOf(invocation, ['settings', 'set'], OPTIONS),
          command: slashNameOf(invocation, ['settings', 'set'], setting.name),
        });
  const content = [why, ...pageLines(invocation, services)].join('\n');
  // As long as there is a form, Discord shows it instead of the reply.
  return { content, ...(form && { form }) };
}

function settingOf(invocation: Invocation, [field = '']: readonly string[]): Setting {
  const { translator } = invocation;
  const setting = translator.settings.byField.get(field);
  if (setting !== undefined) return setting;
  const command = nameOf(invocation, ['settings', 'show']);
  throw new Refusal(translator.t('settings.noSuch', { name: code(shorten(field)), command }));
}
