import type { Setting } from '@guild-settings/contract/settings';
import type { Invocation } from '../framework/invocation.ts';
import { noSetting, type OptionSet, slashNameOf, usageOf } from '../framework/options.ts';
import { Refusal } from '../i18n/text.ts';
import { pageLines } from './page-lines.ts';
import type { SettingsServices } from './services.ts';

interface Missing {
  readonly setting: Setting;
  readonly invocation: Invocation;
  readonly services: Pick<SettingsServices, 'pageOf'>;
}

/**
 * Returns the reply to a message without the value that a form would ask for. For a slash command, Discord shows the
 * form instead.
 */
export function missingValue(
  subcommand: 'set' | 'add',
  options: OptionSet,
  { setting, invocation, services }: Missing,
): string {
  const path = ['settings', subcommand] as const;
  const why = invocation.translator.t('settings.noValue', {
    usage: usageOf(invocation, path, options),
    command: slashNameOf(invocation, path, setting.name),
  });
  return [why, ...pageLines(invocation, services)].join('\n');
}

/** Returns the setting of a form. */
export function formSetting(invocation: Invocation, [field = '']: readonly string[]): Setting {
  const setting = invocation.translator.settings.byField.get(field);
  if (setting !== undefined) return setting;
  throw new Refusal(noSetting(field, invocation));
}
