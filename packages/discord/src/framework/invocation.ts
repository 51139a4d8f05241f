import type { GuildId, RecordSettings, Snowflake } from '@guild-settings/contract';
import type { APIComponentInLabel } from 'discord.js';
import type { CommandPath, Translator } from '../i18n/translator.ts';

/**
 * The trigger of a use: a message, a slash command, a button of its reply, or the form that it has opened. For a button
 * or a form, Discord does not check again if the user may use the command.
 */
export type CommandTrigger =
  | { readonly kind: 'message' }
  | {
      readonly kind: 'slash' | 'part';
      /** The time until which the buttons of the reply can be used, in milliseconds since 1970. */
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
  /** True: the user may write in the channel. Slash commands do not require that. */
  readonly mayWrite: boolean;
  readonly settings: Readonly<RecordSettings>;
  /** The types of channels that Discord resolved for the interaction, as Discord's numbers. */
  readonly channelTypes?: ReadonlyMap<Snowflake, number>;
  readonly translator: Translator;
  /**
   * In the language of the user's client, for suggestions; absent: for a message, or if the bot does not have the
   * language.
   */
  readonly ownTranslator?: Translator | undefined;
  /** Returns true if the bot has a command, so that replies may name it. */
  readonly hasCommand: (path: CommandPath) => boolean;
  /** Text before the command's name: `/`, the guild's prefix, or the bot's mention and a space. */
  readonly prefix: string;
}

export interface Button {
  /** The name of its handler in the `buttons` of the action that replies. */
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

/** A form, which Discord opens instead of the reply to a slash command, or over the reply whose button opens it. */
export interface Form {
  readonly title: string;
  /** At most five. */
  readonly fields: readonly FormField[];
  /** Passed to the action. The rules for buttons apply. */
  readonly values: readonly string[];
}

/** The values of a form by field name: a text, or the selected values. */
export type FilledIn = Readonly<Record<string, string | readonly string[]>>;

export interface Reply {
  readonly content: string;
  /** Shown instead, if a form can be opened. */
  readonly form?: Form;
  /** At most five. Ignored in the reply to a message, which is public. */
  readonly buttons?: readonly Button[];
}
