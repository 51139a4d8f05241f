import { Locale } from 'discord-api-types/v10';
import { z } from 'zod';
import { optional, text, textLike } from '../../form/fields.ts';

/** @see https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-naming */
const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const LOCALES: ReadonlySet<string> = new Set(Object.values(Locale));

/** The name of a chat command or of an option: one word, in lower case where the script has it. */
const name = textLike((value) => NAME.test(value) && value === value.toLowerCase(), {
  code: 'APPLICATION_COMMAND_INVALID_NAME',
  message: 'Command name is invalid',
});

const description = text({ min: 1, max: 100 });

export function localised<Text extends z.ZodType<string>>(translated: Text) {
  const locale = z.string().refine((key) => LOCALES.has(key), {
    error: ({ input }) => `Unknown locale ${JSON.stringify(input)}.`,
  });
  return z.record(locale, translated).nullish();
}

export const texts = {
  name,
  name_localizations: localised(name),
  description,
  description_localizations: localised(description),
};

/** The name of a context menu's command: any text. */
export const menuName = text({ min: 1, max: 32 });

/** The description of a context menu's command: none. */
export const noDescription = optional(text({ max: 0 }));
