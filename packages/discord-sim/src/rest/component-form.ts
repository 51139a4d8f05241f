import {
  type APIMessageTopLevelComponent,
  type APIModalInteractionResponseCallbackData,
  ButtonStyle,
  ComponentType,
  TextInputStyle,
} from 'discord-api-types/v10';
import { z } from 'zod';
import {
  channelTypes,
  choice,
  complain,
  flag,
  id,
  integer,
  list,
  optional,
  REQUIRED,
  readForm,
  repeatsIn,
  text,
  url,
  withoutUndefined,
} from './form.ts';

const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|[0-9#*]\uFE0F?\u20E3/u;
const EXCLUSIVE = {
  code: 'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE',
  message: 'A custom id and url cannot both be specified',
};
const NO_CUSTOM_ID = { code: 'BUTTON_COMPONENT_CUSTOM_ID_REQUIRED', message: 'A custom id is required' };
const { Primary, Secondary, Success, Danger, Link, Premium } = ButtonStyle;

const componentNumber = optional(integer({ min: 0, max: 2 ** 31 - 1 }));

const emoji = z
  .object({ id: optional(id), name: optional(text({ max: 32 })), animated: optional(flag) })
  .refine(({ id: custom, name = '' }) => custom !== undefined || EMOJI.test(name), {
    error: 'Invalid emoji',
    path: ['name'],
    params: { code: 'BUTTON_COMPONENT_INVALID_EMOJI' },
  });

/** @see https://discord.com/developers/docs/components/reference#button */
const button = z
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
    switch (style) {
      case Link:
        if (address === undefined) complain(context, REQUIRED, ['url']);
        if (customId !== undefined) complain(context, EXCLUSIVE, ['custom_id']);
        break;
      case Premium:
        if (skuId === undefined) complain(context, REQUIRED, ['sku_id']);
        break;
      default:
        if (customId === undefined) complain(context, NO_CUSTOM_ID, ['custom_id']);
        else if (address !== undefined) complain(context, EXCLUSIVE, ['custom_id']);
    }
  });

const MAX_OPTIONS = 25;

const common = {
  id: componentNumber,
  custom_id: text({ min: 1, max: 100 }),
  placeholder: optional(text({ max: 150 })),
  min_values: optional(integer({ min: 0, max: MAX_OPTIONS })).transform((min = 1) => min),
  max_values: optional(integer({ min: 1, max: MAX_OPTIONS })).transform((max = 1) => max),
  disabled: optional(flag),
  /** Only effective in modals. */
  required: optional(flag).transform((required = true) => required),
};

const defaultValues = optional(list(z.object({ id, type: text() }), { max: MAX_OPTIONS }));

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
    for (const index of repeatsIn(options.map(({ value }) => value))) {
      const message = 'The specified option value is already used';
      complain(context, { code: 'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED', message }, ['options', index, 'value']);
    }
  });

/** @see https://discord.com/developers/docs/components/reference#string-select */
const selects = [
  stringSelect,
  z.object({ ...common, type: z.literal(ComponentType.UserSelect), default_values: defaultValues }),
  z.object({ ...common, type: z.literal(ComponentType.RoleSelect), default_values: defaultValues }),
  z.object({ ...common, type: z.literal(ComponentType.MentionableSelect), default_values: defaultValues }),
  z.object({
    ...common,
    type: z.literal(ComponentType.ChannelSelect),
    default_values: defaultValues,
    channel_types: optional(channelTypes),
  }),
] as const;

const MAX_ROWS = 5;
/** Applies to buttons. A menu takes a whole row. */
const MAX_IN_ROW = 5;

const actionRow = z
  .object({
    type: z.literal(ComponentType.ActionRow),
    id: componentNumber,
    components: list(z.discriminatedUnion('type', [button, ...selects]), { min: 1, max: MAX_IN_ROW }),
  })
  .superRefine(({ components: items }, context) => {
    const menu = items.findIndex(({ type }) => type !== ComponentType.Button);
    if (menu === -1 || items.length === 1) return;
    const message = 'The specified component exceeds the maximum width';
    complain(context, { code: 'COMPONENT_LAYOUT_WIDTH_EXCEEDED', message }, ['components', Math.max(menu, 1)]);
  });

/**
 * The components of a message: rows of buttons or menus. The layouts of "Components V2" are not simulated.
 *
 * @see https://discord.com/developers/docs/components/reference#action-row
 */
export const components = list(z.discriminatedUnion('type', [actionRow]), { max: MAX_ROWS })
  .superRefine((rows, context) => {
    const named = rows.flatMap(({ components: items }, row) => {
      return items.flatMap(({ custom_id: customId }, column) =>
        customId === undefined ? [] : [{ customId, path: [row, 'components', column, 'custom_id'] }],
      );
    });
    complainOfRepeats(context, named);
  })
  // After these rules, only the variants of the type remain.
  .transform((rows) => withoutUndefined(rows) as APIMessageTopLevelComponent[]);

function complainOfRepeats(
  context: Pick<z.core.$RefinementCtx, 'addIssue'>,
  named: readonly { readonly customId: string; readonly path: PropertyKey[] }[],
): void {
  const complaint = { code: 'COMPONENT_CUSTOM_ID_DUPLICATED', message: 'Component custom id cannot be duplicated' };
  for (const index of repeatsIn(named.map(({ customId }) => customId)))
    complain(context, complaint, named[index]?.path);
}

const MAX_COMPONENTS = 5;
const MAX_TEXT = 4_000;

const textInput = z
  .object({
    type: z.literal(ComponentType.TextInput),
    id: componentNumber,
    custom_id: text({ min: 1, max: 100 }),
    style: choice([TextInputStyle.Short, TextInputStyle.Paragraph]),
    min_length: optional(integer({ min: 0, max: MAX_TEXT })),
    max_length: optional(integer({ min: 1, max: MAX_TEXT })),
    required: optional(flag),
    value: optional(text({ max: MAX_TEXT })),
    placeholder: optional(text({ max: 100 })),
  })
  .superRefine(({ min_length: min = 0, max_length: max = MAX_TEXT, value }, context) => {
    if (min > max)
      complain(context, { code: 'BASE_TYPE_BAD_LENGTH', message: 'Minimum length is above the maximum' }, [
        'min_length',
      ]);
    const { length } = [...(value ?? '')];
    const message = `Must be between ${min} and ${max} in length.`;
    if (value !== undefined && value !== '' && (length < min || length > max)) {
      complain(context, { code: 'BASE_TYPE_BAD_LENGTH', message }, ['value']);
    }
  });

/**
 * A component with its label.
 * @see https://github.com/discord/discord-api-docs/pull/8177 on `min_values`
 */
const label = z
  .object({
    type: z.literal(ComponentType.Label),
    id: componentNumber,
    label: text({ min: 1, max: 45 }),
    description: optional(text({ min: 1, max: 100 })),
    component: z.discriminatedUnion('type', [textInput, ...selects]),
  })
  .superRefine(({ component }, context) => {
    if (component.type === ComponentType.TextInput) return;
    const at = (field: string) => ['component', field];
    if (component.disabled) {
      complain(context, { code: 'BASE_TYPE_INVALID', message: 'Disabled is not supported in modals' }, at('disabled'));
    }
    const { min_values: min, max_values: max, required } = component;
    if (required && min === 0) {
      const message = 'min_values must be at least 1 if required is true';
      complain(context, { code: 'BASE_TYPE_INVALID', message }, at('min_values'));
    }
    const isString = component.type === ComponentType.StringSelect;
    const given = isString
      ? component.options.filter((option) => option.default).length
      : (component.default_values?.length ?? 0);
    if (given > max || (given > 0 && given < min)) {
      const message = `Must be between ${min} and ${max} in length.`;
      complain(context, { code: 'BASE_TYPE_BAD_LENGTH', message }, at(isString ? 'options' : 'default_values'));
    }
  });

const modal = z.object({
  custom_id: text({ min: 1, max: 100 }),
  title: text({ min: 1, max: 45 }),
  components: list(z.discriminatedUnion('type', [label]), { min: 1, max: MAX_COMPONENTS }).superRefine(
    (labels, context) => {
      const named = labels.map(({ component }, index) => ({
        customId: component.custom_id,
        path: [index, 'component', 'custom_id'],
      }));
      complainOfRepeats(context, named);
    },
  ),
});

/**
 * Reads a modal: labels with text inputs and menus. Rows of text inputs, which Discord has deprecated, and other
 * components are not simulated.
 *
 * @throws {RestRefusal} 400 (50035) with the errors of all fields
 * @see https://docs.discord.com/developers/components/reference#label
 */
export function readModal(data: unknown): APIModalInteractionResponseCallbackData {
  return withoutUndefined(readForm(modal, data ?? {}, ['data'])) as APIModalInteractionResponseCallbackData;
}
