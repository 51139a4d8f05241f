import type { RecordSettings } from '@guild-settings/contract';
import {
  CHANNEL_TYPE_NUMBERS,
  type Item,
  patchOf,
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
import type { Form, Invocation, Reply } from '../framework/invocation.ts';
import { anyRest, setting as anySetting, noSetting, offeredName, slashNameOf, usageOf } from '../framework/options.ts';
import { ordered, Refusal } from '../i18n/text.ts';
import type { Translator } from '../i18n/translator.ts';
import { expectation, parseFilledIn, parseSetting, withFeatures } from '../settings/parse-setting.ts';
import { findSetting, groupLabel, settingLabel, settingName, typedItem } from '../settings/setting-texts.ts';
import { changeSettings, requireTypeable, requireUnlocked } from './change-settings.ts';
import { pageLines } from './page-lines.ts';
import { requirePermission } from './require-permission.ts';
import { action, type SettingsServices } from './services.ts';
import { suggestSettings, suggestValues } from './suggestions.ts';

/** Discord's limit for a text of a form. */
const MAX_VALUE = 4_000;

const OPTIONS = { setting: anySetting(true), value: anyRest(MAX_VALUE) };

export const set = action({
  options: OPTIONS,
  guard: requirePermission,
  async run(use) {
    const { invocation, options, services } = use;
    const { setting, value } = options;
    requireUnlocked(setting, invocation);
    requireTypeable(setting, invocation, services);
    if (value === undefined) return formReply(setting, invocation, services);
    const parsed = await parseSetting(setting, value, { ...invocation, channels: services.channels });
    return changeSettings(use, () => patchOf([[setting, parsed]]));
  },
  suggest: {
    setting: ({ typed, translator }) => suggestSettings(typed, translator),
    value({ typed, values, ...reader }) {
      const setting = findSetting(String(values.setting ?? ''), reader.translator);
      return setting === undefined ? [] : suggestValues(setting, typed, reader);
    },
  },
  async submit({ values, filledIn, ...use }) {
    const { invocation, services } = use;
    const setting = settingOf(invocation, values);
    requireUnlocked(setting, invocation);
    const parsed = await parseFilledIn(setting, filledIn, { ...invocation, channels: services.channels });
    return changeSettings(use, () => patchOf([[setting, parsed]]));
  },
});

function formReply(setting: Setting, invocation: Invocation, services: SettingsServices): Reply {
  const { translator, ownTranslator = translator } = invocation;
  // The person alone sees the form.
  const form = settingForm(setting, { ...invocation, translator: ownTranslator, channels: services.channels });
  const why = form === undefined ? tooLong(setting, invocation) : noValue(setting, invocation);
  const content = [why, ...pageLines(invocation, services)].join('\n');
  // As long as there is a form, Discord shows it instead of the reply.
  return { content, ...(form && { form }) };
}

function noValue(setting: Setting, invocation: Invocation): string {
  return invocation.translator.t('settings.noValue', {
    usage: usageOf(invocation, ['settings', 'set'], OPTIONS),
    command: slashNameOf(invocation, ['settings', 'set'], setting.name),
  });
}

function tooLong(declared: Setting, invocation: Invocation): string {
  const { translator } = invocation;
  const setting = settingName(declared, translator);
  const [add, remove] = ['add', 'remove'].map((one) => offeredName({ ...invocation, prefix: '/' }, ['settings', one]));
  if (add === undefined || remove === undefined) return translator.t('settings.tooLong', { setting });
  return translator.t('settings.tooLongForForm', { setting, add, remove });
}

function settingOf(invocation: Invocation, [field = '']: readonly string[]): Setting {
  const setting = invocation.translator.settings.byField.get(field);
  if (setting !== undefined) return setting;
  throw new Refusal(noSetting(field, invocation));
}

/** Discord's limits: https://docs.discord.com/developers/components/reference */
const MAX_TITLE = 45;
const MAX_DESCRIPTION = 100;
const MAX_PLACEHOLDER = 100;
const MAX_OPTIONS = 25;
const MAX_OPTION = 100;
const MAX_TEXT = 4_000;

const MAX_LINE = 100;

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

/** Returns the form for the value of a setting, with the value in use; undefined: that is too long for one. */
function settingForm(declaredSetting: Setting, context: FormContext): Form | undefined {
  const { translator, settings } = context;
  const setting = withFeatures(declaredSetting, translator);
  const value = valueIn(settings, setting) ?? setting.default;
  const component = componentOf(setting, [value].flat() as readonly Item[], context);
  if (component === undefined) return undefined;
  const hint = hintOf(setting, component, context);
  return {
    title: shorten(ordered(groupLabel(setting, translator) ?? translator.t('settings.form.title')), MAX_TITLE),
    label: shorten(ordered(settingLabel(setting, translator)), MAX_TITLE),
    description: hint === undefined ? undefined : shorten(ordered(hint), MAX_DESCRIPTION),
    component,
    values: [setting.field],
  };
}

/** Returns what stands below the label: what a typed value has to be, else what the setting is for. */
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

/** Returns what is typed for a value; undefined: any text, or one of a choice. */
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

function rangeOf(setting: Setting, { language }: Translator): string | undefined {
  const { declared } = setting;
  if (!('min' in declared)) return undefined;
  return `${numberText(setting, declared.min, language)} – ${numberText(setting, declared.max, language)}`;
}

function componentOf(setting: Setting, items: readonly Item[], context: FormContext): APIComponentInLabel | undefined {
  const { declared, many } = setting;
  const { translator, guildId, channels } = context;
  const custom_id = 'value';
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
    case 'role':
    case 'user': {
      const isThere = { channel: channels.hasChannel, role: channels.hasRole, user: isId }[declared.kind];
      const present = items.map(String).filter((id) => isThere(guildId, id));
      if (present.length > MAX_OPTIONS) return undefined;
      const max = Math.min(many?.max ?? 1, MAX_OPTIONS);
      const shown = present.slice(0, max);
      const common = { custom_id, required: false, min_values: 0, max_values: max };
      if (declared.kind !== 'channel') {
        const [type, of] = declared.kind === 'role' ? ROLE_SELECT : USER_SELECT;
        return { type, ...common, default_values: shown.map((id) => ({ id, type: of })) } as APIComponentInLabel;
      }
      const default_values = shown.map((id) => ({ id, type: SelectMenuDefaultValueType.Channel as const }));
      const types = declared.types?.map((type) => CHANNEL_TYPE_NUMBERS[type] as ChannelType);
      return { type: ComponentType.ChannelSelect, ...common, default_values, ...(types && { channel_types: types }) };
    }
    default:
      return textInput(setting, items, translator);
  }
}

function isId(_guildId: string, text: string): boolean {
  return text !== '';
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
    required: setting.kind.empty !== '' && many === undefined,
    // A text that has emoji is twice as long where they are counted as two characters each.
    // A value may be longer than its limit is now.
    max_length: isOneText ? Math.min(MAX_TEXT, Math.max(2 * declared.max, value.length)) : MAX_TEXT,
    ...(value !== '' && { value }),
    ...(range !== undefined && { placeholder: shorten(range, MAX_PLACEHOLDER) }),
  };
}
