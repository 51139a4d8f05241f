import type { GuildId, RecordSettings, Snowflake } from '@guild-settings/contract';
import type { APIComponentInLabel } from 'discord.js';
import type { CommandPath, Translator } from '../i18n/translator.ts';

/**
 * The trigger of a use: a message, a slash command, or a part of one: a button of its reply, or the form that it has opened. Discord
 * does not check again whether the user of a part may use the command.
 */
export type CommandTrigger =
  | { readonly kind: 'message' }
  | {
      readonly kind: 'slash' | 'part';
      /** The end of the time in which the buttons of the reply can be used, in milliseconds since 1970. */
      readonly buttonsUntilMs: number;
      /** True: the user may use the command. */
      readonly isPermitted: boolean;
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
  /** In the language of the user's client, in which suggestions are; absent: in a message, or the bot does not have it. */
  readonly ownTranslator?: Translator | undefined;
  /** Returns whether the bot has a command, which replies name then. */
  readonly hasCommand: (path: CommandPath) => boolean;
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

/** A field of a form. Its name is the `custom_id` of the component. */
export interface FormField {
  readonly label: string;
  readonly description?: string | undefined;
  readonly component: APIComponentInLabel;
}

/** A form, which Discord opens in the place of the reply to a slash command, or over the reply whose button opens it. */
export interface Form {
  readonly title: string;
  /** At most five. */
  readonly fields: readonly FormField[];
  /** Passed to the action. The same rules as for buttons. */
  readonly values: readonly string[];
}

/** The values of the fields of a form by their names: a text, or the values that were chosen. */
export type FilledIn = Readonly<Record<string, string | readonly string[]>>;

export interface Reply {
  readonly content: string;
  /** Shown instead, where a form can be opened. */
  readonly form?: Form;
  /** At most five. The reply to a message is public, and has none. */
  readonly buttons?: readonly Button[];
}
