import type { Snowflake } from '@guild-settings/contract';
import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIModalInteractionResponseCallbackData,
  ButtonStyle,
  ComponentType,
} from 'discord.js';
import type { CommandPath } from '../command-texts.ts';
import type { Button, Form, Reply } from '../invocation.ts';

const STYLES = {
  primary: ButtonStyle.Primary,
  secondary: ButtonStyle.Secondary,
  danger: ButtonStyle.Danger,
} as const satisfies Record<Button['style'], ButtonStyle>;

export interface ReplyContext {
  readonly path: CommandPath;
  readonly replyId: Snowflake;
}

export function payloadOf({ content, buttons = [] }: Reply, { path, replyId }: ReplyContext) {
  const [command, subcommand] = path;
  const items = buttons.map(
    ({ name, label, style, values }): APIButtonComponentWithCustomId => ({
      type: ComponentType.Button,
      style: STYLES[style],
      label,
      custom_id: formatButtonId({ command, subcommand: subcommand ?? null, name, replyId, values }),
    }),
  );
  const row: APIActionRowComponent<APIButtonComponentWithCustomId> = {
    type: ComponentType.ActionRow,
    components: items,
  };
  return { content, components: items.length === 0 ? [] : [row] };
}

export const FIELD = 'value';

/** Returns the form for a user: unlike with a button, Discord does not say whose command a form was opened by. */
export function formPayload(
  { title, label, description, component, values }: Form,
  { path: [command, subcommand], replyId }: ReplyContext,
  userId: Snowflake,
): APIModalInteractionResponseCallbackData {
  return {
    custom_id: formatButtonId({ command, subcommand: subcommand ?? null, name: userId, replyId, values }),
    title,
    components: [
      {
        type: ComponentType.Label,
        label,
        ...(description !== undefined && { description }),
        component: { ...component, custom_id: FIELD },
      },
    ],
  };
}

/**
 * The content of the custom id of a button or a form. The bot keeps nothing about its buttons, so they outlive its
 * process.
 */
export interface ButtonId {
  readonly command: string;
  readonly subcommand: string | null;
  /** The name of a button; the id of the user of a form. */
  readonly name: string;
  /** The id of the interaction that the reply with the button is for, which tells it from edits of the same message. */
  readonly replyId: Snowflake;
  readonly values: readonly string[];
}

/** Formats a custom id: at most 100 characters, if the values are as short as `Button` requires. */
export function formatButtonId({ command, subcommand, name, replyId, values }: ButtonId): string {
  return [command, subcommand ?? '', name, replyId, ...values].join('|');
}

export function parseButtonId(customId: string): ButtonId | undefined {
  const [command = '', subcommand = '', name = '', replyId = '', ...values] = customId.split('|');
  if (!/^\d{17,20}$/.test(replyId)) return undefined;
  return { command, subcommand: subcommand || null, name, replyId, values };
}
