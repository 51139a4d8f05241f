import type { RecordSettings } from '@guild-settings/contract';
import {
  type DeclaredSettings,
  fits,
  type Item,
  isRow,
  type KindName,
  listDifference,
  type Setting,
  type SettingsPatch,
  type SettingValue,
  valueIn,
} from '@guild-settings/contract/settings';
import { clauses, commaList, fieldLabel, plainText, valueParts, type Words } from '@guild-settings/i18n';
import type { TFunction } from 'i18next';
import { emojiName } from '../design/emoji.tsx';
import {
  FEATURES,
  type Field,
  featuresIn,
  isFeatures,
  type Theirs,
  valueIn as valueInRecord,
} from '../draft/fields.ts';
import type { readValue } from './typed-values.ts';

export interface ValueWords extends Words {
  readonly settings: DeclaredSettings;
  readonly t: TFunction<'settings'>;
  readonly channelText: (id: string) => string;
  readonly roleText: (id: string) => string;
  readonly featureText: (id: string) => string;
  readonly personText: (id: string) => string;
  /** Reads what a person types; undefined: it is not loaded yet, or no setting needs it. */
  readonly read: typeof readValue | undefined;
  /** The text in place of what is wrong with a text while `read` is loaded, or cannot be; undefined: it is there, or not needed. */
  readonly unread: string | undefined;
}

/** Returns the ids of a kind in a record, including lists and tables. */
export function idsIn(settings: RecordSettings, { all }: DeclaredSettings, kind: KindName): readonly string[] {
  const isOfKind = ({ declared }: Setting) => declared.kind === kind;
  return all.flatMap((setting) => {
    const items = [valueInRecord(settings, setting.shownField) ?? []].flat();
    const columns = (setting.columns ?? []).filter(isOfKind);
    const ids = isOfKind(setting)
      ? items
      : items.flatMap((item) => (isRow(item) ? columns.map(({ name }) => item[name]) : []));
    return ids.filter((id) => id !== undefined && id !== '').map(String);
  });
}

/** Returns the complete text of a value for separate display: within a sentence, long texts and lists are cut off. */
export function wholeText(setting: Setting, value: SettingValue, words: ValueWords): string {
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0);
  if (setting.kind.control === 'text' && !isEmpty && fits(setting, value)) {
    return Array.isArray(value)
      ? new Intl.ListFormat(words.language, { type: 'conjunction' }).format(value.map(String))
      : words.t('quoted', { value });
  }
  const text = valueText(setting, value, words, Number.POSITIVE_INFINITY);
  const isWord = isEmpty || typeof value === 'boolean';
  return isWord ? text.charAt(0).toLocaleUpperCase(words.language) + text.slice(1) : text;
}

/** Returns an item of a list for separate display. */
export function itemText(setting: Setting, item: Item, words: ValueWords): string {
  return setting.kind.control === 'text'
    ? words.t('quoted', { value: item })
    : wholeText(setting, [item] as SettingValue, words);
}

/** @param maxListed maximum listed items of a list. The others are counted. */
export function valueText(
  setting: Setting,
  value: SettingValue | undefined,
  words: ValueWords,
  maxListed?: number,
): string {
  const { field, kind } = setting;
  const text = plainText(valueParts(field, value, words, maxListed), {
    channel: words.channelText,
    role: words.roleText,
    feature: words.featureText,
    emoji: emojiName,
    person: ({ id }) => words.personText(id ?? ''),
  });
  const isQuoted = value !== '' && (kind.control === 'text' || !fits(setting, value)) && setting.many === undefined;
  return isQuoted ? words.t('quoted', { value: text }) : text;
}

/** Controls in the order of the page: typed and chosen values, then switches. */
const ORDER: readonly string[] = ['text', 'number', 'duration', 'choice', 'channel', 'role', 'switch'];

/**
 * Returns the settings in the order of the page: the specified ones, those of a team in its order, and the features
 * last.
 */
export function inOrderOfPage({ all }: DeclaredSettings): readonly Setting[] {
  return [...all].sort((one, other) => placeOf(one) - placeOf(other));
}

function placeOf(setting: Setting): number {
  if (isFeatures(setting)) return ORDER.length + 1;
  return setting.place === 'custom' ? ORDER.length : ORDER.indexOf(setting.kind.control);
}

interface DraftChanges {
  readonly changes: SettingsPatch;
  readonly settings: RecordSettings;
  readonly theirs: Theirs;
}

/** Returns the changes of a draft, one line per setting. Two settings may have the same label and line. */
export function changesText(
  { changes, settings, theirs }: DraftChanges,
  words: ValueWords,
): { readonly field: Field; readonly text: string }[] {
  const { t, shared, language } = words;
  const namesOf = (names: readonly unknown[]) =>
    commaList(
      names.map((name) => words.featureText(String(name))),
      language,
    );
  return inOrderOfPage(words.settings)
    .filter((setting) => valueIn(changes, setting) !== undefined)
    .map((setting) => {
      const field = fieldLabel(setting.field, words);
      if (setting.field !== FEATURES.field) {
        const [from, to] = [theirs.settings, settings].map((record) =>
          valueText(setting, valueInRecord(record, setting.shownField), words),
        );
        return { field: setting.shownField, text: shared('changed', { field, from, to }) };
      }
      const { added = [], removed = [] } = listDifference(featuresIn(theirs.settings), featuresIn(changes)) ?? {};
      const parts = [
        ...(added.length > 0 ? [t('bar.switchedOn', { names: namesOf(added) })] : []),
        ...(removed.length > 0 ? [t('bar.switchedOff', { names: namesOf(removed) })] : []),
      ];
      return { field: setting.shownField, text: shared('labelled', { label: field, value: clauses(parts, words) }) };
    });
}
