import type { Snowflake } from '@guild-settings/contract';
import type { Setting } from '@guild-settings/contract/settings';
import { choiceText, namedValues, numberText } from '@guild-settings/i18n';
import { code, literal } from '../i18n/text.ts';
import type { Translator } from '../i18n/translator.ts';

interface ExpectationContext {
  readonly translator: Translator;
  /** The channel and the user in examples. */
  readonly channelId: Snowflake;
  readonly userId: Snowflake;
}

/** Returns the description of a setting's valid values. */
export function expectation(setting: Setting, { translator, channelId, userId }: ExpectationContext): string {
  const { field, declared, many } = setting;
  const { example = '' } = setting.kind;
  const { language, shared, t } = translator;
  const choices = declared.kind === 'choice' ? Object.keys(declared.choices) : [];
  const limit = (value: number) => code(numberText(setting, value, language));
  const values = {
    none: typedWord('none', translator),
    on: typedWord('on', translator),
    off: typedWord('off', translator),
    channel: `<#${channelId}>`,
    user: `<@${userId}>`,
    choices: translator.list(
      choices.map((choice) =>
        shared('noted', { text: code(choice), note: literal(choiceText(setting, choice, language)) }),
      ),
    ),
    example: code(example),
    exampleName: code(namedValues(declared.kind, language).find(({ value }) => value === example)?.names[0] ?? ''),
    max: many?.max,
    length: declared.open,
    ...('min' in declared && { min: limit(declared.min), max: limit(declared.max) }),
    defaultValue: '',
  };
  const own = [`settings.expected.${field}`, `settings.expected.${declared.kind}`];
  // i18next uses the first existing key, which its types do not support.
  const item: string = t(own as never, values);
  if (many === undefined || declared.open !== undefined) return item;
  const list = t('settings.expected.list', { max: many.max, none: values.none });
  return item === '' ? list : `${item}\n${list}`;
}

/** Returns a word as typed in a language. */
export function typedWord(word: 'none' | 'on' | 'off', translator: Translator): string {
  return code(translator.word(word));
}
