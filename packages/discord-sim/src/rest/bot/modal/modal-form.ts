import { type APIModalInteractionResponseCallbackData, ComponentType, TextInputStyle } from 'discord-api-types/v10';
import { z } from 'zod';
import { choice, complain, flag, integer, list, optional, text, withoutUndefined } from '../../form/fields.ts';
import { readForm } from '../../form/read-form.ts';
import { complainOfRepeats, componentNumber, selects } from '../message/component-form.ts';

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

/** A component with what it is for. */
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
    const { min_values: min, max_values: max } = component;
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
 * Reads a modal: labels with text inputs and menus. Rows of text inputs, which Discord has deprecated, and its other
 * components are not simulated.
 *
 * @throws {RestRefusal} 400 (50035) with the errors of all fields
 * @see https://docs.discord.com/developers/components/reference#label
 */
export function readModal(data: unknown): APIModalInteractionResponseCallbackData {
  return withoutUndefined(readForm(modal, data ?? {}, ['data'])) as APIModalInteractionResponseCallbackData;
}
