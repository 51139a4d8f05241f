import { ApplicationCommandOptionType, ChannelType } from 'discord-api-types/v10';
import { z } from 'zod';
import { flag, float, integer, list, optional, text } from '../../form/fields.ts';
import { checkOptions } from './option-rules.ts';
import { localised, texts } from './texts-form.ts';

const MAX_OPTIONS = 25;
const MAX_CHOICES = 25;
const MAX_TEXT = 6_000;

const Type = ApplicationCommandOptionType;
const base = { ...texts, required: optional(flag) };
const suggested = { ...base, autocomplete: optional(flag) };
const channelTypes = list(integer({ min: ChannelType.GuildText, max: ChannelType.GuildMedia }));

function choices<Value extends z.ZodType<string | number>>(value: Value) {
  const choiceName = text({ min: 1, max: 100 });
  const choice = z.object({ name: choiceName, name_localizations: localised(choiceName), value });
  return optional(list(choice, { max: MAX_CHOICES }));
}

function numeric<Value extends z.ZodType<number>>(value: Value) {
  return { ...suggested, min_value: optional(value), max_value: optional(value), choices: choices(value) };
}

const valueOptions = [
  z.object({
    ...suggested,
    type: z.literal(Type.String),
    min_length: optional(integer({ min: 0, max: MAX_TEXT })),
    max_length: optional(integer({ min: 1, max: MAX_TEXT })),
    choices: choices(text({ min: 1, max: 100 })),
  }),
  z.object({ ...numeric(integer({ min: -(2 ** 53) + 1, max: 2 ** 53 - 1 })), type: z.literal(Type.Integer) }),
  z.object({ ...numeric(float({ min: -(2 ** 53), max: 2 ** 53 })), type: z.literal(Type.Number) }),
  z.object({ ...base, type: z.literal(Type.Boolean) }),
  z.object({ ...base, type: z.literal(Type.User) }),
  z.object({ ...base, type: z.literal(Type.Channel), channel_types: optional(channelTypes) }),
  z.object({ ...base, type: z.literal(Type.Role) }),
  z.object({ ...base, type: z.literal(Type.Mentionable) }),
  z.object({ ...base, type: z.literal(Type.Attachment) }),
] as const;

function optionList<Option extends z.ZodType<Parameters<typeof checkOptions>[0][number]>>(option: Option) {
  return optional(list(option, { max: MAX_OPTIONS }).superRefine(checkOptions));
}

const subcommand = z.object({
  ...base,
  type: z.literal(Type.Subcommand),
  options: optionList(z.discriminatedUnion('type', [...valueOptions])),
});

const subcommandGroup = z.object({
  ...base,
  type: z.literal(Type.SubcommandGroup),
  options: optionList(z.discriminatedUnion('type', [subcommand])),
});

/**
 * The options of a command, its subcommands and groups of them.
 *
 * @see https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-option-structure
 */
export const options = optionList(z.discriminatedUnion('type', [...valueOptions, subcommand, subcommandGroup]));
