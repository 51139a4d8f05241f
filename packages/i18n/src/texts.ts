import type { Language } from '@guild-settings/contract/constants';
import enUS from './locales/en-US/shared.json' with { type: 'json' };
// In declarations, TypeScript requires an import attribute that it does not emit itself.
import type EnUS from './locales/en-US/shared.json';
import esES from './locales/es-ES/shared.json' with { type: 'json' };
import hi from './locales/hi/shared.json' with { type: 'json' };
import ja from './locales/ja/shared.json' with { type: 'json' };
import ru from './locales/ru/shared.json' with { type: 'json' };

/** The shared texts of all languages, for a program that loads them all. */
export const SHARED_TEXTS: Readonly<Record<Language, Translated<typeof EnUS>>> = {
  'en-US': enUS,
  hi,
  ru,
  ja,
  'es-ES': esES,
};

type PluralBase<Key> = Key extends `${infer Base}_${'one' | 'other'}` ? Base : never;

/** The shape of English texts in another language, with the plural forms of that language. */
export type Translated<Texts> = {
  readonly [Key in keyof Texts as Key extends `${string}_one` | '_comment' ? never : Key]: Texts[Key] extends string
    ? string
    : Translated<Texts[Key]>;
} & {
  readonly [Base in PluralBase<keyof Texts> as `${Base}_${'one' | 'few' | 'many'}`]?: string;
};

/** The texts of a file without the comments for translators. */
export type WithoutComments<Texts> = {
  readonly [Key in keyof Texts as Exclude<Key, '_comment'>]: Texts[Key] extends string
    ? string
    : WithoutComments<Texts[Key]>;
};
