import type { Actor, Conflict } from '@guild-settings/contract';
import type { ListDifference } from '@guild-settings/contract/settings';
import {
  type DifferenceRow,
  differenceOf,
  type Entry,
  fillParts,
  type Part,
  type ShownChanges,
  saysEverything,
  sentenceOf,
  shorten,
  valueParts,
} from '@guild-settings/i18n';
import { code } from '../i18n/text.ts';
import type { Translator } from '../i18n/translator.ts';
import { markdown, settingName } from './setting-texts.ts';

const MAX_REASON = 100;

/** Maximum listed fields of a change: more than there are settings. */
const MAX_FIELDS = 8;

/** Formats the number, time and sentence of a change. Discord shows the time in the language and time zone of the reader. */
export function changeHead(entry: Entry, translator: Translator): string {
  return `${numberAndTime(entry)} · ${markdown(sentenceOf(entry, translator), translator)}`;
}

export function entryText(entry: Entry, translator: Translator): string {
  const { reason, undoneBy, changes } = entry;
  const template = translator.shared('undoneBy', { skipInterpolation: true });
  const head = [
    changeHead(entry, translator),
    ...(undoneBy === undefined
      ? []
      : [markdown(fillParts(template, { change: [{ kind: 'change', revision: undoneBy }] }), translator)]),
    ...(reason === null ? [] : [code(shorten(reason, MAX_REASON))]),
  ];
  return [head.join(' · '), ...(saysEverything(entry) ? [] : changeLines(changes, translator))].join('\n');
}

export function changeLines(changes: ShownChanges, translator: Translator): string[] {
  return differenceOf(changes, translator)
    .slice(0, MAX_FIELDS)
    .map((row) => `- ${rowText(row, translator)}`);
}

export function conflictLine({ field, to, actor, ...change }: Conflict, translator: Translator): string {
  const { shared } = translator;
  const text = markdown(valueParts(field, to, translator), translator);
  const note = `${numberAndTime(change)} · ${markdown([author(actor)], translator)}`;
  const value = shared('noted', { text, note });
  return `- ${shared('labelled', { label: `**${fieldText(field, translator)}**`, value })}`;
}

function numberAndTime({ revision, at }: Pick<Entry, 'revision' | 'at'>): string {
  return `**#${revision}** · <t:${Math.floor(Date.parse(at) / 1_000)}:R>`;
}

function author(actor: Actor): Part {
  return { kind: 'person', actor };
}

function rowText({ field, from, to, items }: DifferenceRow, translator: Translator): string {
  const label = `**${fieldText(field, translator)}**`;
  if (items === undefined) {
    return translator.shared('changed', {
      field: label,
      from: markdown(from, translator),
      to: markdown(to, translator),
    });
  }
  return translator.shared('labelled', { label, value: gainedAndLost(field, items, translator) });
}

/** Returns the items that a list gained and lost. */
export function gainedAndLost(
  field: string,
  { added, removed }: ListDifference<unknown>,
  translator: Translator,
): string {
  const listed = (list: readonly unknown[]) => markdown(valueParts(field, list, translator), translator);
  const parts = [
    ...(added.length > 0 ? [`+ ${listed(added)}`] : []),
    ...(removed.length > 0 ? [`− ${listed(removed)}`] : []),
  ];
  return parts.join(' ');
}

function fieldText(field: string, translator: Translator): string {
  const setting = translator.settings.byField.get(field);
  return setting === undefined ? code(shorten(field)) : settingName(setting, translator);
}
