import type { RecordSettings } from '@guild-settings/contract';
import { CHANNEL_TYPE_NUMBERS, type Item, type Setting, textIn, valueIn } from '@guild-settings/contract/settings';
import { choiceText, numberText, shorten } from '@guild-settings/i18n';
import {
  type APIComponentInLabel,
  type ChannelType,
  ComponentType,
  SelectMenuDefaultValueType,
  TextInputStyle,
} from 'discord.js';
import type { Channels } from '../../discord/channels.ts';
import type { Form } from '../../framework/invocation.ts';
import { ordered, wordFor } from '../../i18n/text.ts';
import type { Translator } from '../../i18n/translator.ts';
import { groupLabel, settingLabel } from '../../settings/find-setting.ts';
import { withFeatures } from '../../settings/parse-setting.ts';
import { typedItem } from '../../settings/typed-value.ts';

/** Discord's limits: https://docs.discord.com/developers/components/reference */
const MAX_TITLE = 45;
const MAX_DESCRIPTION = 100;
const MAX_PLACEHOLDER = 100;
const MAX_OPTIONS = 25;
const MAX_OPTION = 100;
const MAX_TEXT = 4_000;

const MAX_LINE = 100;

export interface FormContext {
  readonly guildId: string;
  readonly settings: RecordSettings;
  readonly translator: Translator;
  readonly channels: Pick<Channels, 'hasChannel' | 'hasRole'>;
}

/** Returns the form for the value of a setting, with the value in use; undefined: that is too long for one. */
export function settingForm(declaredSetting: Setting, context: FormContext): Form | undefined {
  const { translator, settings } = context;
  const setting = withFeatures(declaredSetting, translator);
  const value = valueIn(settings, setting) ?? setting.default;
  const component = componentOf(setting, [value].flat() as readonly Item[], context);
  if (component === undefined) return undefined;
  const hint = hintOf(setting, translator);
  return {
    title: shorten(ordered(groupLabel(setting, translator) ?? translator.t('settings.form.title')), MAX_TITLE),
    label: shorten(ordered(settingLabel(setting, translator)), MAX_TITLE),
    description: hint === undefined ? undefined : shorten(ordered(hint), MAX_DESCRIPTION),
    component,
    values: [setting.field],
  };
}

/** Returns what stands below the label: what a typed value has to be, else what the setting is for. */
function hintOf(setting: Setting, translator: Translator): string | undefined {
  const { declared, many } = setting;
  const about = setting.place === 'custom' ? textIn(declared.description, translator.language) : undefined;
  const isTyped = ['text', 'integer', 'duration'].includes(declared.kind) || declared.open !== undefined;
  const parts = [
    rangeOf(setting, translator),
    many !== undefined && isTyped ? translator.t('settings.form.lines', { max: many.max }) : undefined,
    about,
  ];
  return parts.filter(Boolean).join(' · ') || undefined;
}

function rangeOf(setting: Setting, { language }: Translator): string | undefined {
  const { declared } = setting;
  if (!('min' in declared)) return undefined;
  return `${numberText(setting, declared.min, language)} – ${numberText(setting, declared.max, language)}`;
}

/** Returns the component that a kind has in forms, with the items that are chosen or typed. */
function componentOf(setting: Setting, items: readonly Item[], context: FormContext): APIComponentInLabel | undefined {
  const { declared, many } = setting;
  const { translator, guildId, channels } = context;
  const custom_id = 'value';
  const isList = many !== undefined;
  switch (declared.kind) {
    case 'switch': {
      const options = (['on', 'off'] as const).map((word) => {
        return { label: wordFor(translator.language, word), value: word, default: items.includes(word === 'on') };
      });
      return { type: ComponentType.StringSelect, custom_id, options };
    }
    case 'choice': {
      const names = Object.keys(declared.choices);
      // Of an open list, what is chosen need not be known.
      const all = declared.open === undefined ? names : [...new Set([...names, ...items.map(String)])];
      if (all.length === 0 || all.length > MAX_OPTIONS) return textInput(setting, items, translator);
      const max = Math.min(many?.max ?? 1, all.length);
      const present = items.filter((item) => all.includes(String(item))).slice(0, max);
      const options = all.map((name) => ({
        label: shorten(ordered(choiceText(setting, name, translator.language)), MAX_OPTION),
        value: name,
        default: present.includes(name),
      }));
      const range = isList ? { min_values: 0, max_values: max, required: false } : {};
      return { type: ComponentType.StringSelect, custom_id, options, ...range };
    }
    case 'channel':
    case 'role': {
      const isThere = declared.kind === 'channel' ? channels.hasChannel : channels.hasRole;
      const max = many?.max ?? 1;
      const present = items.map(String).filter((id) => isThere(guildId, id));
      const shown = present.slice(0, max);
      const common = { custom_id, required: false, min_values: 0, max_values: max };
      if (declared.kind === 'role') {
        const default_values = shown.map((id) => ({ id, type: SelectMenuDefaultValueType.Role as const }));
        return { type: ComponentType.RoleSelect, ...common, default_values };
      }
      const default_values = shown.map((id) => ({ id, type: SelectMenuDefaultValueType.Channel as const }));
      const types = declared.types?.map((type) => CHANNEL_TYPE_NUMBERS[type] as ChannelType);
      return { type: ComponentType.ChannelSelect, ...common, default_values, ...(types && { channel_types: types }) };
    }
    default:
      return textInput(setting, items, translator);
  }
}

function textInput(setting: Setting, items: readonly Item[], translator: Translator): APIComponentInLabel | undefined {
  const { declared, many } = setting;
  const value = items.map((item) => typedItem(setting, item)).join('\n');
  if (value.length > MAX_TEXT) return undefined;
  const isOneText = declared.kind === 'text' && many === undefined;
  const isLong = many !== undefined || (isOneText && (declared.lines === 'many' || declared.max > MAX_LINE));
  const range = rangeOf(setting, translator);
  return {
    type: ComponentType.TextInput,
    custom_id: 'value',
    style: isLong ? TextInputStyle.Paragraph : TextInputStyle.Short,
    required: declared.kind !== 'text' && many === undefined,
    // A text that has emoji is twice as long where they are counted as two characters each.
    // A value may be longer than its limit is now.
    max_length: isOneText ? Math.min(MAX_TEXT, Math.max(2 * declared.max, value.length)) : MAX_TEXT,
    ...(value !== '' && { value }),
    ...(range !== undefined && { placeholder: shorten(range, MAX_PLACEHOLDER) }),
  };
}
