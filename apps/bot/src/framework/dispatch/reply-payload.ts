import type { Snowflake } from '@guild-settings/contract';
import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  ButtonStyle,
  ComponentType,
} from 'discord.js';
import type { CommandPath } from '../command-texts.ts';
import { BUTTON_LIFETIME_MS, type Button, type Reply } from '../reply.ts';
import { formatButtonId } from './button-id.ts';

const STYLES = {
  primary: ButtonStyle.Primary,
  secondary: ButtonStyle.Secondary,
  danger: ButtonStyle.Danger,
} as const satisfies Record<Button['style'], ButtonStyle>;

/** The command that a reply belongs to, its user, and the time. */
export interface ReplyContext {
  readonly path: CommandPath;
  readonly userId: Snowflake;
  readonly nowMs: number;
}

/** Returns a reply as discord.js sends it. An edit of a message removes the buttons that the reply does not have. */
export function payloadOf({ content, buttons = [] }: Reply, { path, userId, nowMs }: ReplyContext) {
  const [command, subcommand] = path;
  const expiresAt = nowMs + BUTTON_LIFETIME_MS;
  const items = buttons.map(
    ({ name, label, style, values }): APIButtonComponentWithCustomId => ({
      type: ComponentType.Button,
      style: STYLES[style],
      label,
      custom_id: formatButtonId({ command, subcommand: subcommand ?? null, name, userId, expiresAt, values }),
    }),
  );
  const row: APIActionRowComponent<APIButtonComponentWithCustomId> = {
    type: ComponentType.ActionRow,
    components: items,
  };
  return { content, components: items.length === 0 ? [] : [row] };
}
