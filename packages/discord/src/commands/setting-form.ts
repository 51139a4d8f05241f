import type { RecordSettings } from '@guild-settings/contract';
import {
  CHANNEL_TYPE_NUMBERS,
  type Item,
  isRequired,
  type Setting,
  textIn,
  valueIn,
} from '@guild-settings/contract/settings';
import { choiceText, numberText, shorten } from '@guild-settings/i18n';
import {
  type APIComponentInLabel,
  type ChannelType,
  ComponentType,
  SelectMenuDefaultValueType,
  TextInputStyle,
} from 'discord.js';
import type { ChannelsOfGuilds } from '../discord/channels.ts';
import type { Form, FormField } from '../framework/invocation.ts';
import { ordered } from '../i18n/text.ts';
import type { Translator } from '../i18n/translator.ts';
import { expectation } from '../settings/expectations.ts';
import { withFeatures } from '../settings/parse-setting.ts';
import { groupLabel, settingLabel, typedItem } from '../settings/setting-texts.ts';

/** Discord's limits: https://docs.discord.com/developers/components/reference */
const MAX_TITLE = 45;
const MAX_DESCRIPTION = 100;
const MAX_PLACEHOLDER = 100;
const MAX_OPTIONS = 25;
const MAX_OPTION = 100;
const MAX_TEXT = 4_000;

const MAX_LINE = 100;

/** Maximum fields of a form. */
const MAX_FIELDS = 5;

const ROLE_SELECT = [ComponentType.RoleSelect, SelectMenuDefaultValueType.Role] as const;
const USER_SELECT = [ComponentType.UserSelect, SelectMenuDefaultValueType.User] as const;

interface FormContext {
  readonly guildId: string;
  readonly channelId: string;
  readonly userId: string;
  readonly settings: RecordSettings;
  readonly translator: Translator;
  readonly channels: Pick<ChannelsOfGuilds, 'hasChannel' | 'hasRole'>;
}

/** The field name in a form with a single field. */
export const VALUE_FIELD = 'value';

/** Returns the form for the value of a setting, with the current value; undefined: it is too long for a form. */
export function valueForm(setting: Setting, context: FormContext): Form | undefined {
  const { translator, settings } = context;
  const value = valueIn(settings, setting) ?? setting.default;
  const field = fieldOf(VALUE_FIELD, setting, { items: [value].flat() as readonly Item[] }, context);
  const title = groupLabel(setting, translator) ?? translator.t('settings.form.title');
  return field && formOf(setting, title, [field]);
}

/** Returns the form for an item of a list. */
export function itemForm(list: Setting, context: FormContext): Form | undefined {
  const { translator } = context;
  const field = fieldOf(VALUE_FIELD, { ...list, many: undefined }, { items: [], isRequired: true }, context);
  return field && formOf(list, groupLabel(list, translator) ?? translator.t('settings.form.title'), [field]);
}

/** Returns the form for a row of a table, with the cells of a new row; undefined: the table has too many columns. */
export function rowForm(table: Setting, context: FormContext): Form | undefined {
  const { columns = [] } = table;
  if (columns.length > MAX_FIELDS) return undefined;
  const fields = columns.flatMap((column) => {
    const items = isRequired(column) ? [] : ([column.default].flat() as readonly Item[]);
    return fieldOf(column.name, column, { items }, context) ?? [];
  });
  return formOf(table, settingLabel(table, context.translator), fields);
}

function formOf({ field }: Setting, title: string, fields: readonly FormField[]): Form {
  return { title: shorten(ordered(title), MAX_TITLE), fields, values: [field] };
}

interface FieldContent {
  readonly items: readonly Item[];
  /** True: the form requires a value, even if the kind has an empty one. */
  readonly isRequired?: boolean;
}

function fieldOf(
  name: string,
  declaredSetting: Setting,
  content: FieldContent,
  context: FormContext,
): FormField | undefined {
  const { translator } = context;
  const setting = withFeatures(declaredSetting, translator);
  const component = componentOf(setting, { name, ...content }, context);
  if (component === undefined) return undefined;
  const hint = hintOf(setting, component, context);
  return {
    label: shorten(ordered(settingLabel(setting, translator)), MAX_TITLE),
    description: hint === undefined ? undefined : shorten(ordered(hint), MAX_DESCRIPTION),
    component,
  };
}

/** Returns the hint below the label: the expected values, or otherwise the purpose of the setting. */
function hintOf(setting: Setting, { type }: APIComponentInLabel, context: FormContext): string | undefined {
  const { declared, many } = setting;
  const { translator } = context;
  const about = setting.place === 'custom' ? textIn(declared.description, translator.language) : undefined;
  const isTyped = type === ComponentType.TextInput || declared.open !== undefined;
  const parts = [
    rangeOf(setting, translator) ?? (isTyped ? takenBy(setting, context) : undefined),
    many !== undefined && isTyped ? translator.t('settings.form.lines', { max: many.max }) : undefined,
    about,
  ];
  return parts.filter(Boolean).join(' · ') || undefined;
}

/** Returns the description of the values to type; undefined: any text, or a choice. */
function takenBy(setting: Setting, context: FormContext): string | undefined {
  const { declared, kind } = setting;
  const names = 'placeholders' in declared ? Object.keys(declared.placeholders ?? {}) : [];
  if (names.length > 0) {
    const placeholders = context.translator.list(names.map((name) => `{${name}}`));
    return context.translator.t('settings.form.placeholders', { placeholders });
  }
  if (kind.control === 'text' || kind.control === 'choice') return undefined;
  return expectation({ ...setting, many: undefined }, context).replaceAll('`', '');
}

function rangeOf(setting: Setting, { t, language }: Translator): string | undefined {
  const { declared } = setting;
  if (!('min' in declared)) return undefined;
  const [min, max] = [declared.min, declared.max].map((limit) => numberText(setting, limit, language));
  return t('settings.form.range', { min, max });
}

type NamedContent = FieldContent & { readonly name: string };

function componentOf(setting: Setting, content: NamedContent, context: FormContext): APIComponentInLabel | undefined {
  const { declared, many } = setting;
  const { translator, guildId, channels } = context;
  const { name: custom_id, items, isRequired: required = false } = content;
  const isList = many !== undefined;
  switch (declared.kind) {
    case 'switch': {
      const options = (['on', 'off'] as const).map((word) => {
        return { label: translator.word(word), value: word, default: items.includes(word === 'on') };
      });
      return { type: ComponentType.StringSelect, custom_id, options };
    }
    case 'choice': {
      const names = Object.keys(declared.choices);
      // For an open list, the chosen items may be unknown ones.
      const all = declared.open === undefined ? names : [...new Set([...names, ...items.map(String)])];
      if (all.length === 0 || all.length > MAX_OPTIONS) return textInput(setting, content, translator);
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
    case 'role':
    case 'user': {
      const isThere = { channel: channels.hasChannel, role: channels.hasRole, user: isId }[declared.kind];
      const present = items.map(String).filter((id) => isThere(guildId, id));
      if (present.length > MAX_OPTIONS) return undefined;
      const max = Math.min(many?.max ?? 1, MAX_OPTIONS);
      const shown = present.slice(0, max);
      const common = { custom_id, required, min_values: required ? 1 : 0, max_values: max };
      if (declared.kind !== 'channel') {
        const [type, of] = declared.kind === 'role' ? ROLE_SELECT : USER_SELECT;
        return { type, ...common, default_values: shown.map((id) => ({ id, type: of })) } as APIComponentInLabel;
      }
      const default_values = shown.map((id) => ({ id, type: SelectMenuDefaultValueType.Channel as const }));
      const types = declared.types?.map((type) => CHANNEL_TYPE_NUMBERS[type] as ChannelType);
      return { type: ComponentType.ChannelSelect, ...common, default_values, ...(types && { channel_types: types }) };
    }
    default:
      return textInput(setting, content, translator);
  }
}

function isId(_guildId: string, text: string): boolean {
  return text !== '';
}

function textInput(
  setting: Setting,
  { name, items, isRequired: required = false }: NamedContent,
  translator: Translator,
): APIComponentInLabel | undefined {
  const { declared, many } = setting;
  const value = items.map((item) => typedItem(setting, item)).join('\n');
  if (value.length > MAX_TEXT) return undefined;
  const isOneText = declared.kind === 'text' && many === undefined;
  const isLong = many !== undefined || (isOneText && (declared.lines === 'many' || declared.max > MAX_LINE));
  const range = rangeOf(setting, translator);
  return {
    type: ComponentType.TextInput,
    custom_id: name,
    style: isLong ? TextInputStyle.Paragraph : TextInputStyle.Short,
    required: required || (setting.kind.empty !== '' && many === undefined),
    // Discord may count an emoji as two characters. A value may be longer than its current limit.
    max_length: isOneText ? Math.min(MAX_TEXT, Math.max(2 * declared.max, value.length)) : MAX_TEXT,
    ...(value !== '' && { value }),
    ...(range !== undefined && { placeholder: shorten(range, MAX_PLACEHOLDER) }),
  };
}
