import {
  type Actor,
  type Conflict,
  DEFAULT_SETTINGS,
  GuildSettings,
  type HistoryEntry,
} from '@guild-settings/contract';
import { code, shorten, wordFor } from '../i18n/text.ts';
import type { Translator } from '../i18n/translator.ts';
import { SETTING_NAMES, type SettingName, settingText } from './setting-texts.ts';

/** A value of a field before and after a change: JSON. */
interface ShownChange {
  readonly from?: unknown;
  readonly to?: unknown;
}

/** Changed fields by name. */
export type ShownChanges = Readonly<Record<string, ShownChange>>;

/** A change as the service returns it. */
export interface ShownEntry extends Omit<HistoryEntry, 'changes'> {
  readonly changes: ShownChanges;
}

/** Features that are listed by name. The others are counted. */
const MAX_LISTED = 5;

/** Code points of a value or name without a format of its own, of a feature in a list, and of a reason. */
const SHOWN = { value: 40, feature: 24, reason: 100 } as const;

/** Fields of a change that are listed: more than there are settings. */
const MAX_FIELDS = 8;

/** Formats the number, time and author of a change. Discord shows the time in the language and time zone of the reader. */
export function changeHead(
  { revision, at, actor }: Pick<HistoryEntry, 'revision' | 'at' | 'actor'>,
  translator: Translator,
) {
  return `**#${revision}** · <t:${Math.floor(Date.parse(at) / 1_000)}:R> · ${authorText(actor, translator)}`;
}

/** Formats a change: a line about it, and one line for each field. */
export function entryText(entry: ShownEntry, translator: Translator): string {
  const { reason, undoes, restores, undoneBy, changes } = entry;
  const notes = [
    undoes !== undefined && translator.t('history.undoes', { id: undoes }),
    restores !== undefined && translator.t('history.restores', { id: restores }),
    undoneBy !== undefined && translator.t('history.undoneBy', { id: undoneBy }),
    reason !== null && code(shorten(reason, SHOWN.reason)),
  ].filter((note) => note !== false);
  return [[changeHead(entry, translator), ...notes].join(' · '), ...changeLines(changes, translator)].join('\n');
}

/** Formats changed fields with their values before and after, one line for each. */
export function changeLines(changes: ShownChanges, translator: Translator): string[] {
  return Object.entries(changes)
    .slice(0, MAX_FIELDS)
    .map(([field, change]) => `- ${changeText(field, change, translator)}`);
}

/** Formats a field in conflict: its value now, and the change that set it. */
export function conflictLine({ field, to, ...change }: Conflict, translator: Translator): string {
  return `- **${fieldText(field, translator)}**: ${valueText(field, to, translator)} (${changeHead(change, translator)})`;
}

/** Formats the author of a change as a mention, which notifies nobody in a reply of the bot. */
function authorText({ kind, id }: Actor, translator: Translator): string {
  switch (kind) {
    case 'user':
      return id === null ? translator.t('history.erased') : `<@${id}>`;
    case 'application':
      return translator.t('history.application');
    default:
      // Discord, or an author of a newer service.
      return kind === 'platform' ? 'Discord' : code(kind);
  }
}

function changeText(field: string, { from, to }: ShownChange, translator: Translator): string {
  const setting = fieldText(field, translator);
  const features = field === 'enabledFeatures' && featuresText(from, to, translator);
  if (features) return `**${setting}**: ${features}`;
  const before = valueText(field, from, translator);
  const after = valueText(field, to, translator);
  return translator.t('settings.changed', { setting, before, after });
}

/** Formats added and removed features; `undefined`: only their order has changed, or the values are no lists of names. */
function featuresText(from: unknown, to: unknown, translator: Translator): string | undefined {
  const { enabledFeatures } = GuildSettings.shape;
  const [before, after] = [enabledFeatures.safeParse(from).data, enabledFeatures.safeParse(to).data];
  if (before === undefined || after === undefined) return undefined;
  const added = after.filter((name) => !before.includes(name));
  const removed = before.filter((name) => !after.includes(name));
  const parts = [
    added.length > 0 && `+ ${listText(added, translator)}`,
    removed.length > 0 && `− ${listText(removed, translator)}`,
  ];
  return parts.filter((part) => part !== false).join(' ') || undefined;
}

function listText(names: readonly string[], translator: Translator): string {
  if (names.length === 0) return wordFor(translator.language, 'none');
  const shown = names.slice(0, MAX_LISTED).map((name) => code(shorten(name, SHOWN.feature)));
  const more = names.length - shown.length;
  return translator.list(more > 0 ? [...shown, translator.t('settings.more', { count: more })] : shown);
}

function fieldText(field: string, { language }: Translator): string {
  return isSettingName(field) ? wordFor(language, field) : code(shorten(field, SHOWN.value));
}

/** Formats a value of a field. A field or a value that this version does not know is shown as JSON. */
function valueText(field: string, value: unknown, translator: Translator): string {
  if (isSettingName(field)) {
    const { data: settings } = GuildSettings.safeParse({ ...DEFAULT_SETTINGS, [field]: value });
    if (settings && field === 'enabledFeatures') return listText(settings.enabledFeatures, translator);
    if (settings) return settingText(field, settings, translator);
  }
  return code(shorten(JSON.stringify(value) ?? '', SHOWN.value));
}

function isSettingName(field: string): field is SettingName {
  return (SETTING_NAMES as readonly string[]).includes(field);
}
