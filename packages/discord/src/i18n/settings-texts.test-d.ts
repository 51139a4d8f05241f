import { expectTypeOf } from 'vitest';
import type { SettingsTexts } from '../index.ts';

// Texts are partial and nested, in any language of Discord, including those shared with the page.
expectTypeOf<{ 'en-US': { commands: { settings: { description: string } } } }>().toExtend<SettingsTexts>();
expectTypeOf<{
  fr: { settings: { form: { title: string } }; shared: { value: { on: string } } };
}>().toExtend<SettingsTexts>();
expectTypeOf<NonNullable<SettingsTexts['zh-TW']>['words']>().not.toBeAny();

// A text that depends on a number has the plural forms of its language.
type Forms<Locale extends keyof SettingsTexts> = Extract<
  keyof NonNullable<NonNullable<SettingsTexts[Locale]>['errors']>,
  `tooLong${string}`
>;
expectTypeOf<Forms<'en-US'>>().toEqualTypeOf<'tooLong_one' | 'tooLong_other'>();
expectTypeOf<Forms<'pl'>>().toEqualTypeOf<'tooLong_one' | 'tooLong_few' | 'tooLong_many' | 'tooLong_other'>();
expectTypeOf<Forms<'ja'>>().toEqualTypeOf<'tooLong_other'>();

// @ts-expect-error An unknown locale.
export const locale: SettingsTexts = { 'fr-FR': {} };
// @ts-expect-error An unknown key.
export const key: SettingsTexts = { fr: { settings: { tilte: 'x' } } };
// @ts-expect-error A plural form that Japanese does not have.
export const form: SettingsTexts = { ja: { errors: { tooLong_one: 'x' } } };
// @ts-expect-error A text in place of a group.
export const group: SettingsTexts = { ru: { settings: 'x' } };
// @ts-expect-error A comment for translators is not a text.
export const comment: SettingsTexts = { hi: { problem: { _comment: 'x' } } };
