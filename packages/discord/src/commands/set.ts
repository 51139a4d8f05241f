import { patchOf, type Setting } from '@guild-settings/contract/settings';
import type { Invocation, Reply } from '../framework/invocation.ts';
import { anyRest, setting as anySetting, offeredName } from '../framework/options.ts';
import { Refusal } from '../i18n/text.ts';
import { parseFilledIn, parseSetting } from '../settings/parse-setting.ts';
import { findSetting, settingName } from '../settings/setting-texts.ts';
import { changeSettings, requireUnlocked } from './change-settings.ts';
import { formSetting, missingValue } from './form-replies.ts';
import { pageLines } from './page-lines.ts';
import { requirePermission } from './require-permission.ts';
import { action, type SettingsServices } from './services.ts';
import { VALUE_FIELD, valueForm } from './setting-form.ts';
import { suggestSettings, suggestValues } from './suggestions.ts';

/** Discord's limit for a text in a form. */
const MAX_VALUE = 4_000;

const OPTIONS = { setting: anySetting(true), value: anyRest(MAX_VALUE) };

export const set = action({
  options: OPTIONS,
  guard: requirePermission,
  async run(use) {
    const { invocation, options, services } = use;
    const { setting, value } = options;
    requireUnlocked(setting, invocation);
    requireOneValue(setting, invocation, services);
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
    const setting = formSetting(invocation, values);
    requireUnlocked(setting, invocation);
    requireOneValue(setting, invocation, services);
    const value = filledIn[VALUE_FIELD] ?? '';
    const parsed = await parseFilledIn(setting, value, { ...invocation, channels: services.channels });
    return changeSettings(use, () => patchOf([[setting, parsed]]));
  },
});

/** @throws Refusal for a table, which is changed row by row */
function requireOneValue(setting: Setting, invocation: Invocation, services: Pick<SettingsServices, 'pageOf'>): void {
  if (setting.columns === undefined) return;
  const { t } = invocation.translator;
  const name = settingName(setting, invocation.translator);
  const [add, remove] = offeredNames(invocation, setting.name);
  const why =
    add === undefined || remove === undefined
      ? t('settings.table', { setting: name })
      : t('settings.rows', { setting: name, add, remove });
  throw new Refusal([why, ...pageLines(invocation, services, setting)].join('\n'));
}

function formReply(setting: Setting, invocation: Invocation, services: SettingsServices): Reply {
  const { translator, ownTranslator = translator } = invocation;
  // Only the person sees the form.
  const form = valueForm(setting, { ...invocation, translator: ownTranslator, channels: services.channels });
  if (form !== undefined) return { content: missingValue('set', OPTIONS, { setting, invocation, services }), form };
  return { content: [tooLong(setting, invocation), ...pageLines(invocation, services)].join('\n') };
}

function tooLong(declared: Setting, invocation: Invocation): string {
  const { translator } = invocation;
  const setting = settingName(declared, translator);
  const [add, remove] = offeredNames(invocation);
  if (add === undefined || remove === undefined) return translator.t('settings.tooLong', { setting });
  return translator.t('settings.tooLongForForm', { setting, add, remove });
}

function offeredNames(invocation: Invocation, ...values: string[]): (string | undefined)[] {
  return ['add', 'remove'].map((one) => offeredName({ ...invocation, prefix: '/' }, ['settings', one], ...values));
}
