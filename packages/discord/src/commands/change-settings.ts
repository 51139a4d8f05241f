import type { ReceivedArrival } from '@guild-settings/client';
import type { GuildId, RecordSettings } from '@guild-settings/contract';
import {
  isSameValue,
  listDifference,
  referencesIn,
  type Setting,
  type SettingsPatch,
  valueIn,
} from '@guild-settings/contract/settings';
import { channelWarnings, flawText, liveText, roleWarnings, shorten } from '@guild-settings/i18n';
import type { ChannelsOfGuilds } from '../discord/channels.ts';
import type { Invocation } from '../framework/invocation.ts';
import { type OptionSet, offeredName } from '../framework/options.ts';
import { code, Refusal } from '../i18n/text.ts';
import type { Translator } from '../i18n/translator.ts';
import { gainedAndLost } from '../settings/change-texts.ts';
import type { PatchFor, PermittedUser, ServiceFailure, ServiceRefusal } from '../settings/service.ts';
import { isLocked, labelled, MAX_LISTED, settingName, settingText } from '../settings/setting-texts.ts';
import type { Connection, Use } from './services.ts';

export function requireUnlocked(setting: Setting, { translator }: Invocation): void {
  if (!isLocked(setting)) return;
  throw new Refusal(translator.t('settings.reserved', { setting: settingName(setting, translator) }));
}

/** @throws Refusal when a list may not have that many items */
export function requireLength(list: Setting, length: number, translator: Translator): void {
  const { max = length } = list.many ?? {};
  if (length <= max) return;
  const why = flawText({ key: 'tooMany', count: max }, translator, list);
  throw new Refusal(labelled(list, why, translator));
}

/**
 * Changes settings through the service. Returns the reply, in the guild's language after the change.
 * @param patchFor returns the patch; called again for each attempt after a conflict. Throws Refusal.
 * @param patchForEarlier the same for an older service, which refuses the first patch
 * @throws Refusal when the change was not made or is not confirmed
 */
export async function changeSettings(
  { invocation, pass, services }: Pick<Use<OptionSet, PermittedUser>, 'invocation' | 'pass' | 'services'>,
  patchFor: PatchFor,
  patchForEarlier?: PatchFor,
): Promise<string> {
  let patch: SettingsPatch = {};
  const remembered: PatchFor = (before) => {
    patch = patchFor(before);
    return patch;
  };
  let outcome = await services.settings.change(pass, remembered);
  const isMisunderstood = outcome.kind === 'refused' && outcome.slug === 'invalid-request';
  if (isMisunderstood && patchForEarlier) outcome = await services.settings.change(pass, patchForEarlier);
  if (outcome.kind !== 'changed') throw new Refusal(failureText(outcome, invocation, 'show'));
  const { before, after } = outcome;
  const { settings, vocabulary } = invocation.translator;
  const translator = vocabulary.translatorOf(after, settings);
  const isChanged = (setting: Setting) => !isSameValue(valueIn(before, setting), valueIn(after, setting), setting);
  const changed = settings.all.filter(isChanged);
  if (changed.length === 0) return unchanged(patch, after, translator);
  const lines = changed.map((setting) => changeLine(setting, before, after, translator));
  const { guildId } = invocation;
  for (const setting of changed) {
    lines.push(...(await referenceWarnings(setting, after, { guildId, translator, channels: services.channels })));
  }
  const fields = changed.map(({ field }) => field);
  lines.push(...prefixLines(fields, after, { translator, connection: services.connection }));
  lines.push(...arrivalLine(outcome.arrival, translator));
  return lines.join('\n');
}

function changeLine(setting: Setting, before: RecordSettings, after: RecordSettings, translator: Translator): string {
  const [from, to] = [valueIn(before, setting), valueIn(after, setting)];
  // Not all rows of a long table are listed.
  const rows = setting.columns === undefined ? undefined : listDifference(from, to);
  const isLong = [from, to].some((value) => Array.isArray(value) && value.length > MAX_LISTED);
  if (rows !== undefined && isLong) {
    return labelled(setting, gainedAndLost(setting.field, rows, translator), translator);
  }
  return translator.shared('changed', {
    field: `**${settingName(setting, translator)}**`,
    from: settingText(setting, before, translator),
    to: settingText(setting, after, translator),
  });
}

/** Returns the lines of a reply about the effect of a changed prefix; empty if prefix commands certainly work. */
export function prefixLines(
  changed: readonly string[],
  { prefix }: RecordSettings,
  { translator: { t }, connection }: { readonly translator: Translator; readonly connection: Connection },
): string[] {
  if (!changed.includes('prefix') || connection.readsMessages === undefined) return [];
  if (!connection.readsMessages) return [t('settings.slashOnly')];
  if (prefix === '') return [t('settings.prefixOff', { mention: connection.mention })];
  return prefix === '/' ? [t('settings.prefixSlash', { prefix: code(prefix), mention: connection.mention })] : [];
}

function arrivalLine(arrival: ReceivedArrival | undefined, translator: Translator): string[] {
  if (arrival === undefined) return [];
  if (arrival.state !== 'live') return [translator.t('settings.notLive')];
  const line = liveText(arrival, translator);
  return line === undefined ? [] : [line];
}

function unchanged(patch: SettingsPatch, settings: RecordSettings, translator: Translator): string {
  return translator.settings.all
    .filter((setting) => valueIn(patch, setting) !== undefined)
    .map((setting) => {
      const value = settingText(setting, settings, translator);
      return translator.t('settings.unchanged', { setting: settingName(setting, translator), value });
    })
    .join('\n');
}

interface WarningContext {
  readonly guildId: GuildId;
  readonly translator: Translator;
  readonly channels: Pick<ChannelsOfGuilds, 'channel' | 'role'>;
}

/**
 * Returns the warnings about the channels or roles of a setting, as on the page; empty if Discord cannot be reached.
 */
async function referenceWarnings(
  setting: Setting,
  settings: RecordSettings,
  { guildId, translator, channels }: WarningContext,
): Promise<string[]> {
  const warnings = await Promise.all(
    referencesIn(setting, valueIn(settings, setting)).map(async ({ setting: needing, id }) => {
      if (needing.declared.kind === 'role') {
        const shown = { name: `<@&${id}>`, label: `<@&${id}>` };
        return roleWarnings(id === guildId ? 'everyone' : channels.role(guildId, id), shown, translator);
      }
      const shown = { name: `<#${id}>`, label: `<#${id}>` };
      return channels.channel(guildId, id).then(
        (channel) => channelWarnings(needing, channel, shown, translator),
        () => [],
      );
    }),
  );
  return [...new Set(warnings.flat())];
}

/**
 * Returns the text for a failed call of the service.
 * @param check the subcommand of `settings` that shows if a change was made
 * @throws the error of the service if only the team of the bot can solve it: it is logged
 */
export function failureText(failure: ServiceFailure, invocation: Invocation, check: 'show' | 'history'): string {
  const { translator } = invocation;
  const { t } = translator;
  switch (failure.kind) {
    case 'unreachable':
      return t('errors.unreachable');
    case 'unconfirmed': {
      const names = [check, 'show', 'history'].map((one) => offeredName(invocation, ['settings', one]));
      const command = names.find((name) => name !== undefined);
      return command === undefined ? t('errors.maybeMade') : t('errors.unconfirmed', { command });
    }
    case 'refused':
      return t('errors.refused', { reason: reasonOf(failure, translator) });
  }
}

function reasonOf({ slug, fields, error }: ServiceRefusal, translator: Translator): string {
  const { t, settings } = translator;
  const [field = ''] = fields;
  const known = settings.byField.get(field);
  // The bot may learn about a new setting later than the service.
  const setting = known === undefined ? code(shorten(field)) : settingName(known, translator);
  switch (slug) {
    case 'reserved-setting':
      return t('settings.reserved', { setting });
    case 'invalid-request':
      // The issue concerns a part of the request that the person did not enter.
      if (known === undefined) throw error;
      return t('problem.value', { setting });
    case 'bot-absent':
      return t('problem.botAbsent');
    case 'not-guild-manager':
    case 'not-guild-owner':
    case 'insufficient-access':
      return t('problem.noAccess');
    case 'body-too-large':
    case 'too-many-features':
      return t('problem.tooLarge');
    case 'revision-mismatch':
      return t('problem.busy');
    case 'change-log-full':
      return t('problem.full');
    default:
      throw error;
  }
}
