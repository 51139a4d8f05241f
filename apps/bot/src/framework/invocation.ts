import type { GuildId, RecordSettings, Snowflake } from '@guild-settings/contract';
import type { APIComponentInLabel } from 'discord.js';
import type { Translator } from '../i18n/translator.ts';

/**
 * The trigger of a use: a message, or a slash command that Discord let the user use. A button belongs to the slash
 * command whose reply has it.
 */
export type CommandTrigger =
  | { readonly kind: 'message' }
  | {
      readonly kind: 'slash';
      /** The end of the time in which the buttons of the reply can be used, in milliseconds since 1970. */
      readonly buttonsUntilMs: number;
    };

export interface Invocation {
  readonly trigger: CommandTrigger;
  readonly id: Snowflake;
  readonly guildId: GuildId;
  readonly channelId: Snowflake;
  readonly userId: Snowflake;
  readonly permissions: bigint;
  /** True: the user may write in the channel. A slash command can be used without that. */
  readonly mayWrite: boolean;
  readonly settings: Readonly<RecordSettings>;
  /** The types of channels that Discord resolved for the interaction, by its numbers. */
  readonly channelTypes?: ReadonlyMap<Snowflake, number>;
  readonly translator: Translator;
  /** Text before the command's name: `/`, the guild's prefix, or the bot's mention and a space. */
  readonly prefix: string;
}

export interface Button {
  /** The name of what it does, among the `buttons` of the action that replies. */
  readonly name: string;
  readonly label: string;
  readonly style: 'primary' | 'secondary' | 'danger';
  /** Passed to the action. Without `|`; the names and all values together have at most 70 characters. */
  readonly values: readonly string[];
}

/** A form with one field, which Discord opens in the place of the reply to a slash command, or over the reply whose button opens it. */
export interface Form {
  readonly title: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly component: APIComponentInLabel;
  /** Passed to the action. The same rules as for buttons. */
  readonly values: readonly string[];
}

export interface Reply {
  readonly content: string;
  /** Shown instead, where a form can be opened. */
  readonly form?: Form;
  /** At most five. The reply to a message is public, and has none. */
  readonly buttons?: readonly Button[];
}
