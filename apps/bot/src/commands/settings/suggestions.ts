import type { RecordSettings } from '@guild-settings/contract';
import {
  folded,
  type Item,
  isSameValue,
  type Setting,
  type SettingValue,
  valueIn,
} from '@guild-settings/contract/settings';
import { choiceText, plainText, valueParts } from '@guild-settings/i18n';
import type { Suggestion } from '../../framework/command.ts';
import { ordered, wordFor } from '../../i18n/text.ts';
import type { Translator } from '../../i18n/translator.ts';
import { groupLabel, settingLabel, typedNames } from '../../settings/find-setting.ts';
import { withFeatures } from '../../settings/parse-setting.ts';
import { isLocked } from '../../settings/setting-texts.ts';
import { typedItem, typedValue } from '../../settings/typed-value.ts';

/** A value that can be chosen, and the texts by which it is found, the most important ones first. */
interface Candidate extends Suggestion {
  readonly texts: readonly string[];
}

/** Returns the candidates that have what was typed, the best match first; all of them where nothing was typed. */
function ranked(candidates: readonly Candidate[], typed: string): Suggestion[] {
  const wanted = folded(typed.trim());
  const found = candidates.flatMap(({ texts, name, value }) => {
    const ranks = texts.map((text, index) => rankOf(folded(text), wanted) + index / texts.length);
    const rank = Math.min(...ranks);
    return Number.isFinite(rank) ? [{ rank, suggestion: { name: ordered(name), value } }] : [];
  });
  return found.toSorted((a, b) => a.rank - b.rank).map(({ suggestion }) => suggestion);
}

/** Returns how well a text matches: as a whole, by its start, by the start of a word, within; infinite: not at all. */
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
    const name = [...(group === undefined ? [] : [group]), label].join(' · ');
    const texts = [label, ...typedNames(setting, translator), ...(group === undefined ? [] : [group])];
    return { name: isLocked(setting) ? `🔒 ${name}` : name, value: setting.field, texts };
  });
  return ranked(candidates, typed);
}

/** Suggests values of a setting: its choices, the value in use and the default. */
export function suggestValues(
  setting: Setting,
  typed: string,
  { translator, settings }: { readonly translator: Translator; readonly settings: RecordSettings },
) {
  const value = valueIn(settings, setting) ?? setting.default;
  const marked = [
    valueCandidate(setting, value, 'settings.now', translator),
    ...(isSameValue(value, setting.default)
      ? []
      : [valueCandidate(setting, setting.default, 'settings.byDefault', translator)]),
  ];
  const choices = setting.many === undefined ? choicesOf(setting, translator) : [];
  const others = choices.filter((choice) => !marked.some((one) => one.value === choice.value));
  return ranked([...marked, ...others], typed);
}

function valueCandidate(
  setting: Setting,
  value: SettingValue,
  key: 'settings.now' | 'settings.byDefault',
  translator: Translator,
): Candidate {
  const text = plainValue(setting, value, translator);
  const typed = typedValue(setting, value);
  return { name: translator.t(key, { value: text }), value: typed, texts: [text, typed] };
}

export function suggestNewItems(setting: Setting, typed: string, translator: Translator, present: readonly Item[]) {
  const isNew = ({ value }: Candidate) => !present.includes(value);
  return ranked(choicesOf(setting, translator).filter(isNew), typed);
}

export function suggestItems(setting: Setting, typed: string, translator: Translator, present: readonly Item[]) {
  const candidates = present.map((item): Candidate => {
    const name = plainValue(setting, [item] as SettingValue, translator);
    return { name, value: typedItem(setting, item), texts: [name, String(item)] };
  });
  return ranked(candidates, typed);
}

function choicesOf(setting: Setting, translator: Translator): Candidate[] {
  const { declared } = withFeatures(setting, translator);
  const { language } = translator;
  if (declared.kind === 'switch') {
    return (['on', 'off'] as const).map((value) => {
      const name = wordFor(language, value);
      return { name, value, texts: [name, value] };
    });
  }
  const choices = declared.kind === 'choice' ? Object.keys(declared.choices) : [];
  return choices.map((choice) => {
    const name = choiceText({ ...setting, declared }, choice, language);
    return { name, value: choice, texts: [name, choice] };
  });
}

function plainValue(setting: Setting, value: SettingValue, translator: Translator): string {
  const known = withFeatures(setting, translator);
  const feature = (id: string) => choiceText(known, id, translator.language);
  const names = { feature, person: () => '', channel: (id: string) => id, role: (id: string) => id };
  return plainText(valueParts(setting.field, value, translator), names);
}
