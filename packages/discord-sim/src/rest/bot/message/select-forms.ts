import { ChannelType, ComponentType } from 'discord-api-types/v10';
import { z } from 'zod';
import { flag, id, integer, list, optional, text } from '../../form/fields.ts';
import { componentNumber, emoji } from './button-form.ts';

const MAX_OPTIONS = 25;

const common = {
  id: componentNumber,
  custom_id: text({ min: 1, max: 100 }),
  placeholder: optional(text({ max: 150 })),
  min_values: optional(integer({ min: 0, max: MAX_OPTIONS })).transform((min = 1) => min),
  max_values: optional(integer({ min: 1, max: MAX_OPTIONS })).transform((max = 1) => max),
  disabled: optional(flag),
};

const defaultValues = optional(list(z.object({ id, type: text() }), { max: MAX_OPTIONS }));

/** A menu of texts. */
const stringSelect = z
  .object({
    ...common,
    type: z.literal(ComponentType.StringSelect),
    options: list(
      z.object({
        label: text({ min: 1, max: 100 }),
        value: text({ min: 1, max: 100 }),
        description: optional(text({ max: 100 })),
        emoji: optional(emoji),
        default: optional(flag),
      }),
      { min: 1, max: MAX_OPTIONS },
    ),
  })
  .superRefine(({ options }, context) => {
    const seen = new Set<string>();
    for (const [index, { value }] of options.entries()) {
      if (seen.has(value)) {
        const params = { code: 'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED' };
        const message = 'The specified option value is already used';
        context.addIssue({ code: 'custom', path: ['options', index, 'value'], message, params });
      }
      seen.add(value);
    }
  });

/**
 * The menus.
 *
 * @see https://discord.com/developers/docs/components/reference#string-select
 */
export const selects = [
  stringSelect,
  z.object({ ...common, type: z.literal(ComponentType.UserSelect), default_values: defaultValues }),
  z.object({ ...common, type: z.literal(ComponentType.RoleSelect), default_values: defaultValues }),
  z.object({ ...common, type: z.literal(ComponentType.MentionableSelect), default_values: defaultValues }),
  z.object({
    ...common,
    type: z.literal(ComponentType.ChannelSelect),
    default_values: defaultValues,
    channel_types: optional(list(integer({ min: ChannelType.GuildText, max: ChannelType.GuildMedia }))),
  }),
] as const;
