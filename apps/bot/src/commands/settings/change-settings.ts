import type { GuildSettings } from '@guild-settings/contract';
import { SETTING_NAMES, type SettingName, settingText } from '../../settings/setting-texts.ts';
import { type Speech, speechOf } from '../../speech/speech.ts';
import type { Use } from '../command.ts';
import { nameOf, wordFor } from '../command-texts.ts';
import type { GuildManager } from '../guards.ts';
import type { OptionSet } from '../options.ts';
import { Refusal } from '../refusal.ts';

/**
 * Has the service make a change, and says what came of it in the language that the guild has then.
 * @throws Refusal when it was not made, or when nobody knows
 */
export async function changeSettings(
  { invocation, pass, services }: Use<OptionSet, GuildManager>,
  patch: Partial<GuildSettings>,
  reason: string,
): Promise<string> {
  const outcome = await services.settings.change(pass, patch, reason);
  const { speech: spoken } = invocation;
  switch (outcome.kind) {
    case 'unreachable':
      throw new Refusal(spoken.t('errors.unreachable'));
    case 'unconfirmed':
      throw new Refusal(spoken.t('errors.unconfirmed', { command: nameOf(invocation, ['settings', 'show']) }));
    case 'refused':
      throw new Refusal(spoken.t('errors.refused', { reason: outcome.reason }));
    case 'changed': {
      const speech = speechOf(outcome.after.language);
      const changed = SETTING_NAMES.filter((name) => !isSame(name, outcome.before, outcome.after));
      if (changed.length === 0) return unchanged(patch, outcome.after, speech);
      const lines: string[] = changed.map((name) =>
        speech.t('settings.changed', {
          setting: wordFor(speech.language, name),
          before: settingText(name, outcome.before, speech),
          after: settingText(name, outcome.after, speech),
        }),
      );
      const prefixIsOff = changed.includes('prefix') && outcome.after.prefix === '';
      if (prefixIsOff) lines.push(speech.t('settings.prefixOff', { mention: services.connection.mention }));
      return lines.join('\n');
    }
  }
}

function unchanged(patch: Partial<GuildSettings>, settings: GuildSettings, speech: Speech): string {
  return SETTING_NAMES.filter((name) => Object.hasOwn(patch, name))
    .map((name) => {
      const setting = wordFor(speech.language, name);
      return speech.t('settings.unchanged', { setting, value: settingText(name, settings, speech) });
    })
    .join('\n');
}

function isSame(name: SettingName, before: GuildSettings, after: GuildSettings): boolean {
  return JSON.stringify(before[name]) === JSON.stringify(after[name]);
}
