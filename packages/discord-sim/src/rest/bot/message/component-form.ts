import { type APIMessageTopLevelComponent, ComponentType } from 'discord-api-types/v10';
import { z } from 'zod';
import { list } from '../../form/fields.ts';
import { withoutUndefined } from '../../form/without-undefined.ts';
import { button, componentNumber } from './button-form.ts';
import { selects } from './select-forms.ts';

const MAX_ROWS = 5;
/** Of buttons. A menu takes a whole row. */
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
    const params = { code: 'COMPONENT_LAYOUT_WIDTH_EXCEEDED' };
    const message = 'The specified component exceeds the maximum width';
    context.addIssue({ code: 'custom', path: ['components', Math.max(menu, 1)], message, params });
  });

/**
 * The components of a message: rows of buttons or menus. The layouts of "Components V2" are not simulated.
 *
 * @see https://discord.com/developers/docs/components/reference#action-row
 */
export const components = list(z.discriminatedUnion('type', [actionRow]), { max: MAX_ROWS })
  .superRefine((rows, context) => {
    const seen = new Set<string>();
    for (const [row, { components: items }] of rows.entries()) {
      for (const [column, { custom_id: customId }] of items.entries()) {
        if (customId !== undefined && seen.has(customId)) {
          const path = [row, 'components', column, 'custom_id'];
          const message = 'Component custom id cannot be duplicated';
          context.addIssue({ code: 'custom', path, message, params: { code: 'COMPONENT_CUSTOM_ID_DUPLICATED' } });
        }
        if (customId !== undefined) seen.add(customId);
      }
    }
  })
  // The rules above leave nothing but the variants of the type.
  .transform((rows) => withoutUndefined(rows) as APIMessageTopLevelComponent[]);
