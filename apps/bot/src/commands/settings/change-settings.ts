import type { ReceivedArrival } from '@guild-settings/client';
import type { RecordSettings, SettingValues } from '@guild-settings/contract';
import { isSameValue, valueIn } from '@guild-settings/contract/settings';
import type { Connection } from '../../discord/connection.ts';
import type { Use } from '../../framework/command.ts';
import type { OptionSet } from '../../framework/options.ts';
import { Refusal, wordFor } from '../../i18n/text.ts';
import { type Translator, translatorOf } from '../../i18n/translator.ts';
import type { PermittedUser } from '../../settings/permitted-user.ts';
import { SETTINGS, settingText } from '../../settings/setting-texts.ts';
import { failureText } from './failure-text.ts';

/**
 * Changes settings through the service. Returns the reply, in the guild's language after the change.
 * @throws Refusal when the change was not made or is not confirmed
 */
export async function changeSettings(
  { invocation, pass, services }: Use<OptionSet, PermittedUser>,
  patch: SettingValues,
  reason: string,
): Promise<string> {
  const outcome = await services.settings.change(pass, patch, reason);
  if (outcome.kind !== 'changed') throw new Refusal(failureText(outcome, invocation, 'show'));
  const { before, after } = outcome;
  const translator = translatorOf(after);
  const changed = SETTINGS.filter((setting) => !isSameValue(valueIn(before, setting), valueIn(after, setting)));
  if (changed.length === 0) return unchanged(patch, after, translator);
  const lines: string[] = changed.map(({ field }) =>
    translator.shared('changed', {
      field: `**${wordFor(translator.language, field)}**`,
      from: settingText(field, before, translator),
      to: settingText(field, after, translator),
    }),
  );
  const fields = changed.map(({ field }) => field);
  lines.push(...prefixLines(fields, after, { translator, connection: services.connection }));
  lines.push(...arrivalLine(outcome.arrival, translator));
  return lines.join('\n');
}

/** Returns the lines of a reply about what works if the prefix was changed; none where prefix commands do. */
export function prefixLines(
  changed: readonly string[],
  { prefix }: RecordSettings,
  { translator: { t }, connection }: { readonly translator: Translator; readonly connection: Connection },
): string[] {
  if (!changed.includes('prefix')) return [];
  if (!connection.readsMessages) return [t('about.slashOnly')];
  return prefix === '' ? [t('settings.prefixOff', { mention: connection.mention })] : [];
}

/** Returns the line of a reply about whether the change is in use; none when the service does not know it. */
function arrivalLine(arrival: ReceivedArrival | undefined, { t, shared }: Translator): string[] {
  if (arrival === undefined) return [];
  const { state, latencyMs } = arrival;
  if (state !== 'live') return [t('settings.notLive')];
  return latencyMs === undefined ? [] : [shared('live', { ms: latencyMs })];
}

function unchanged(patch: SettingValues, settings: RecordSettings, translator: Translator): string {
  return SETTINGS.filter((setting) => valueIn(patch, setting) !== undefined)
    .map(({ field }) => {
      const setting = wordFor(translator.language, field);
      return translator.t('settings.unchanged', { setting, value: settingText(field, settings, translator) });
    })
    .join('\n');
}
