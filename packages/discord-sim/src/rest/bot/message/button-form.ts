import { ButtonStyle, ComponentType } from 'discord-api-types/v10';
import { z } from 'zod';
import { REQUIRED } from '../../form/field-error.ts';
import { choice, flag, id, integer, optional, text, url } from '../../form/fields.ts';

const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|[0-9#*]\uFE0F?\u20E3/u;
const EXCLUSIVE = {
  code: 'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE',
  message: 'A custom id and url cannot both be specified',
};
const NO_CUSTOM_ID = { code: 'BUTTON_COMPONENT_CUSTOM_ID_REQUIRED', message: 'A custom id is required' };
const { Primary, Secondary, Success, Danger, Link, Premium } = ButtonStyle;

/** The number of a component within its message; Discord assigns one without it. */
export const componentNumber = optional(integer({ min: 0, max: 2 ** 31 - 1 }));

/** An emoji of Unicode by its name, or another one by its id. */
export const emoji = z
  .object({ id: optional(id), name: optional(text({ max: 32 })), animated: optional(flag) })
  .refine(({ id: custom, name = '' }) => custom !== undefined || EMOJI.test(name), {
    error: 'Invalid emoji',
    path: ['name'],
    params: { code: 'BUTTON_COMPONENT_INVALID_EMOJI' },
  });

/**
 * A button.
 *
 * @see https://discord.com/developers/docs/components/reference#button
 */
export const button = z
  .object({
    type: z.literal(ComponentType.Button),
    id: componentNumber,
    style: choice([Primary, Secondary, Success, Danger, Link, Premium]),
    label: optional(text({ max: 80 })),
    emoji: optional(emoji),
    custom_id: optional(text({ min: 1, max: 100 })),
    url: optional(url(512)),
    sku_id: optional(id),
    disabled: optional(flag),
  })
  .superRefine(({ style, custom_id: customId, url: address, sku_id: skuId }, context) => {
    const complain = (field: string, { code, message }: { code: string; message: string }): void => {
      context.addIssue({ code: 'custom', path: [field], message, params: { code } });
    };
    switch (style) {
      case Link:
        if (address === undefined) complain('url', REQUIRED);
        if (customId !== undefined) complain('custom_id', EXCLUSIVE);
        break;
      case Premium:
        if (skuId === undefined) complain('sku_id', REQUIRED);
        break;
      default:
        if (customId === undefined) complain('custom_id', NO_CUSTOM_ID);
        else if (address !== undefined) complain('custom_id', EXCLUSIVE);
    }
  });
