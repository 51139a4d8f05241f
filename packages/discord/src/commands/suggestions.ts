import {
  folded,
  type Item,
  isSameValue,
  type Mentioned,
  type Row,
  type Setting,
  type SettingValue,
  valueIn,
} from '@guild-settings/contract/settings';
import { choiceText, namedValues, plainText, shorten, valueParts } from '@guild-settings/i18n';
import type { Suggestion } from '../framework/command.ts';
import { LOCK, ordered } from '../i18n/text.ts';
import { allTranslators, type Translator } from '../i18n/translator.ts';
import { thingsFor } from '../settings/named-things.ts';
import { REMARKS, readValue, withFeatures } from '../settings/parse-setting.ts';
import {
  fullLabel,
  groupLabel,
  groupsIn,
  isLocked,
  settingLabel,
  typedItem,
  typedNames,
  typedValue,
} from '../settings/setting-texts.ts';
import { rowIds } from '../settings/table-rows.ts';
import { suggestZones } from '../settings/zone-suggestions.ts';
import type { Typing } from './services.ts';

interface Candidate extends Suggestion {
  readonly texts: readonly string[];
}

function ranked(candidates: readonly Candidate[], typed: string): Suggestion[] {
  const wanted = folded(typed.trim());
  const found = candidates.flatMap(({ texts, name, value, otherNames = [] }) => {
    const ranks = texts.map((text, index) => rankOf(folded(text), wanted) + index / texts.length);
    const rank = Math.min(...ranks);
    const suggestion = { name: ordered(name), value, otherNames: otherNames.map(ordered) };
    return Number.isFinite(rank) ? [{ rank, suggestion }] : [];
  });
  return found.toSorted((a, b) => a.rank - b.rank).map(({ suggestion }) => suggestion);
}

/** Returns the quality of a match: the whole text, its start, the start of a word, any position; infinite: no match. */
function rankOf(text: string, wanted: string): number {
  if (wanted === '' || text === wanted) return 0;
  const at = text.indexOf(wanted);
  if (at === 0) return 1;
  if (at === -1) return Number.POSITIVE_INFINITY;
  return /[\p{L}\p{N}]/u.test(text[at - 1] ?? '') ? 3 : 2;
}

export function suggestSettings(
  typed: string,
  translator: Translator,
  fits: (setting: Setting) => boolean = () => true,
) {
  const candidates = translator.settings.all.filter(fits).map((setting): Candidate => {
    const label = settingLabel(setting, translator);
    const group = groupLabel(setting, translator);
    const name = fullLabel(setting, translator);
    const texts = [label, ...typedNames(setting, translator), ...(group === undefined ? [] : [group])];
    return { name: isLocked(setting) ? LOCK + name : name, value: setting.shownField, texts };
  });
  return ranked(candidates, typed);
}

export function suggestGroups(typed: string, translator: Translator) {
  const candidates = groupsIn(translator).map(({ name, label, labels }): Candidate => {
    return { name: label, value: name, texts: [label, name, ...labels] };
  });
  return ranked(distinct(candidates, translator), typed);
}

type Reader = Pick<Typing, 'translator' | 'invocation' | 'services'>;

export function suggestValues(setting: Setting, typed: string, reader: Reader) {
  const { invocation } = reader;
  // Rows of a table cannot be typed.
  if (setting.columns !== undefined) return [];
  const value = valueIn(invocation.settings, setting) ?? setting.default;
  const marked = [
    valueCandidate(setting, value, 'settings.now', reader),
    ...(isSameValue(value, setting.default, setting)
      ? []
      : [valueCandidate(setting, setting.default, 'settings.byDefault', reader)]),
  ];
  const isOther = (suggestion: Suggestion) => !marked.some(({ value: known }) => known === suggestion.value);
  if (setting.declared.kind === 'timeZone') {
    const zones = suggestZones(typed, reader.translator, reader.services.clock());
    return [...ranked(marked, typed), ...zones.filter(isOther)];
  }
  const choices = setting.many === undefined ? choicesOf(setting, reader) : [];
  return ranked([...marked, ...choices.filter(isOther)], typed);
}

function valueCandidate(
  setting: Setting,
  value: SettingValue,
  remark: (typeof REMARKS)[number],
  reader: Reader,
): Candidate {
  const { translator } = reader;
  const text = plainValue(setting, value, reader);
  const typed = typedValue(setting, value);
  const isRead = allTranslators(translator).every((one) =>
    isSameValue(readValue(setting, typed, { translator: one }), value, setting),
  );
  return {
    name: translator.t(remark, { value: text }),
    value: isRead ? typed : '',
    texts: [text, typed],
    // The default may be in effect now. Without a remark, a list is not a text that a person would type as a value.
    otherNames: [
      ...REMARKS.map((other) => translator.t(other, { value: text })),
      ...(setting.many !== undefined && setting.declared.kind !== 'text' ? [text] : []),
    ],
  };
}

export function suggestNewItems(setting: Setting, typed: string, present: readonly Item[], reader: Reader) {
  const isNew = ({ value }: Candidate) => !present.includes(value);
  return ranked(choicesOf(setting, reader).filter(isNew), typed);
}

export function suggestItems(setting: Setting, typed: string, present: readonly Item[], reader: Reader) {
  const candidates = present.map((item): Candidate => {
    const name = plainValue(setting, [item] as SettingValue, reader);
    return { name, value: typedItem(setting, item), texts: [name, String(item)] };
  });
  return ranked(distinct(candidates, reader.translator), typed);
}

/** Discord's limit for the name of a suggestion, minus room for a number. */
const MAX_ROW = 100 - ' (25)'.length;

interface RowName {
  readonly text: string;
  /** With the number of the row if the visible text of another row is the same. */
  readonly distinct: string;
}

/** Returns the rows of a table in displayed form. */
export function rowNames(table: Setting, rows: readonly Row[], reader: Reader): RowName[] {
  const { shared } = reader.translator;
  const texts = rows.map((row) => plainValue(table, [row], reader));
  const shown = texts.map((text) => shorten(text, MAX_ROW));
  return texts.map((text, at) => {
    const short = shown[at] ?? text;
    const isShared = shown.indexOf(short) !== at || shown.lastIndexOf(short) !== at;
    return { text, distinct: isShared ? shared('noted', { text: short, note: at + 1 }) : text };
  });
}

export function suggestRows(table: Setting, typed: string, rows: readonly Row[], reader: Reader) {
  const ids = rowIds(table, rows);
  const candidates = rowNames(table, rows, reader).map(({ text, distinct: name }, at): Candidate => {
    return { name, value: ids[at] ?? '', texts: [text] };
  });
  return ranked(candidates, typed);
}

/** Adds the value to a name that another candidate has as well, such as that of a role, or that is the value of another one. */
function distinct(candidates: readonly Candidate[], { shared }: Translator): Candidate[] {
  return candidates.map((candidate) => {
    const { name, value } = candidate;
    const isShared = candidates.some((one) => one !== candidate && (one.name === name || one.value === name));
    return isShared ? { ...candidate, name: shared('noted', { text: name, note: value }) } : candidate;
  });
}

function choicesOf(setting: Setting, { translator, invocation, services }: Reader): Candidate[] {
  const { declared } = withFeatures(setting, translator);
  const { language } = translator;
  if (declared.kind === 'switch') {
    return (['on', 'off'] as const).map((value) => {
      const name = translator.word(value);
      return { name, value, texts: [name, value] };
    });
  }
  const things = thingsFor(setting, { ...invocation, channels: services.channels });
  if (things.length > 0) {
    // The role @everyone is not a valid value.
    const named = things.filter(({ value }) => value !== invocation.guildId);
    return distinct(
      named.map(({ names, value }) => ({ name: names[0] ?? value, value, texts: names })),
      translator,
    );
  }
  const named = namedValues(declared.kind, language);
  if (named.length > 0) {
    return named.map(({ value, names }) => ({ name: `${names[0]} · ${value}`, value, texts: names }));
  }
  const choices = declared.kind === 'choice' ? Object.keys(declared.choices) : [];
  const candidates = choices.map((choice): Candidate => {
    const name = choiceText({ ...setting, declared }, choice, language);
    return { name, value: choice, texts: [name, choice] };
  });
  return distinct(candidates, translator);
}

function plainValue(setting: Setting, value: SettingValue, { translator, invocation, services }: Reader): string {
  const known = withFeatures(setting, translator);
  const { guildId, userId } = invocation;
  const nameOf = (kind: Mentioned, id: string) => services.channels.known(kind, guildId, userId, id)[0]?.names[0] ?? id;
  return plainText(valueParts(setting.field, value, translator), {
    feature: (id) => choiceText(known, id, translator.language),
    emoji: (text) => /:\w+:/.exec(text)?.[0] ?? text,
    person: ({ id }) => nameOf('user', id ?? ''),
    channel: (id) => nameOf('channel', id),
    role: (id) => nameOf('role', id),
  });
}
