import type { Snowflake } from '@guild-settings/contract';

/** What the custom id of a button holds. The bot keeps nothing about its buttons, so they outlive its process. */
export interface ButtonId {
  /** English names of the command and its subcommand; `null` for a command without any. */
  readonly command: string;
  readonly subcommand: string | null;
  /** The name of the button in the action. */
  readonly name: string;
  /** The user who may use it. */
  readonly userId: Snowflake;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly values: readonly string[];
}

/** Formats a custom id: at most 100 characters, if the values are as short as `Button` requires. */
export function formatButtonId({ command, subcommand, name, userId, expiresAt, values }: ButtonId): string {
  return [command, subcommand ?? '', name, userId, expiresAt.toString(36), ...values].join('|');
}

/** Parses a custom id; `undefined`: it has another format. */
export function parseButtonId(customId: string): ButtonId | undefined {
  const [command = '', subcommand = '', name = '', userId = '', expires = '', ...values] = customId.split('|');
  if (!/^\d{17,20}$/.test(userId) || !/^[\da-z]{1,10}$/.test(expires)) return undefined;
  return { command, subcommand: subcommand || null, name, userId, expiresAt: Number.parseInt(expires, 36), values };
}
