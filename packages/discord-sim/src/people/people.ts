import {
  type APIApplicationCommand,
  type APIChatInputApplicationCommandInteractionData,
  type APIMessageButtonInteractionData,
  ApplicationCommandType,
  ComponentType,
  Locale,
  PermissionFlagsBits,
  type Snowflake,
} from 'discord-api-types/v10';
import { mayUseCommand } from '../world/command-access.ts';
import type { Channel, Message } from '../world/entities.ts';
import type { Interaction, InteractionUse } from '../world/messages.ts';
import { has } from '../world/permissions.ts';
import { isFor, postMessage } from '../world/post-message.ts';
import { randomToken } from '../world/snowflake.ts';
import type { World } from '../world/world.ts';
import { type MessageReader, SlashHandle } from './message-reader.ts';
import { fillModal, type ModalValues } from './modal-form.ts';
import { autocompleteOptions, resolved, type SlashValues, slashOptions } from './slash-options.ts';

export interface SlashUse {
  /** The language of the user's client; `en-US` unless given. */
  readonly locale?: `${Locale}`;
}

/** Acts for users like Discord's client, with the client's checks. */
export class People {
  readonly #world: World;
  readonly #messages: MessageReader;

  /** @internal */
  constructor(world: World, messages: MessageReader) {
    this.#world = world;
    this.#messages = messages;
  }

  /**
   * Posts a message.
   *
   * @throws {Error} when the user may not write in the channel
   */
  sendMessage(userId: Snowflake, channelId: Snowflake, content: string): Message {
    const { type } = this.#world.channels.channel(channelId);
    const { ViewChannel, SendMessages, SendMessagesInThreads } = PermissionFlagsBits;
    this.#require(channelId, userId, ViewChannel | (type === 'thread' ? SendMessagesInThreads : SendMessages));
    return postMessage(this.#world, { channelId, authorId: userId, content });
  }

  /**
   * Uses a command of a bot, in a channel or in the first channel of a guild.
   *
   * @param command - the names the user picks, such as `remind add`
   * @throws {Error} for an unknown command, invalid values, or a user without permission
   */
  slash(
    userId: Snowflake,
    channelOrGuildId: Snowflake,
    command: string,
    values: SlashValues = {},
    { locale = Locale.EnglishUS }: SlashUse = {},
  ): SlashHandle {
    const { registered, path, channelId, guildId } = this.#shown(userId, channelOrGuildId, command);
    const options = slashOptions(registered, path, values);
    const data: APIChatInputApplicationCommandInteractionData = {
      ...usedCommand(registered),
      options,
      resolved: resolved(this.#world, { guildId, userId, options }),
    };
    const use: InteractionUse = { kind: 'command', data };
    return this.#interact(use, { applicationId: registered.application_id, userId, guildId, channelId, locale });
  }

  /**
   * Types into an option of a command whose bot suggests choices: see `suggestions()` of the result.
   *
   * @param values - the values so far, including the text of the focused option
   * @param focused - the option that is being typed
   * @throws {Error} when the user cannot see such a command, or its option has no autocompletion
   */
  type(
    userId: Snowflake,
    channelOrGuildId: Snowflake,
    command: string,
    values: SlashValues,
    focused: string,
    { locale = Locale.EnglishUS }: SlashUse = {},
  ): SlashHandle {
    const { registered, path, channelId, guildId } = this.#shown(userId, channelOrGuildId, command);
    const options = autocompleteOptions(registered, path, values, focused);
    const use: InteractionUse = { kind: 'autocomplete', data: { ...usedCommand(registered), options } };
    return this.#interact(use, { applicationId: registered.application_id, userId, guildId, channelId, locale });
  }

  /**
   * Fills in a modal and submits it. Omitted fields keep the initial value of the modal.
   *
   * @param interactionId - the interaction whose response is the modal
   * @throws {Error} for an unknown modal, or invalid values
   */
  submit(
    userId: Snowflake,
    interactionId: Snowflake,
    values: ModalValues = {},
    { locale = Locale.EnglishUS }: SlashUse = {},
  ): SlashHandle {
    const opener = this.#world.interactions.find(interactionId);
    if (opener?.modal === undefined || opener.userId !== userId) {
      throw new Error(`User ${userId} has no modal of interaction ${interactionId}`);
    }
    const { applicationId, guildId, channelId } = opener;
    const data = fillModal(this.#world, opener.modal, values, { guildId, userId });
    const messageId = opener.use.kind === 'button' ? opener.use.messageId : null;
    const use: InteractionUse = { kind: 'modal', data, messageId, openedBy: interactionId };
    return this.#interact(use, { applicationId, userId, guildId, channelId, locale });
  }

  /**
   * Presses a button of a bot's message. If the response updates the message, the message itself shows it.
   *
   * @throws {Error} for an unknown button, or a user who cannot see it
   */
  press(
    userId: Snowflake,
    messageId: Snowflake,
    customId: string,
    { locale = Locale.EnglishUS }: Pick<SlashUse, 'locale'> = {},
  ): SlashHandle {
    const message = this.#world.messages.find(messageId);
    const bot = this.#world.bots.all().find((candidate) => candidate.userId === message?.authorId);
    if (!message || message.deleted || !bot || !isFor(this.#world, message, userId) || !hasButton(message, customId)) {
      throw new Error(`Message ${messageId} has no button ${JSON.stringify(customId)}`);
    }
    const { guildId, channelId } = message;
    this.#require(channelId, userId, PermissionFlagsBits.ViewChannel);
    const data: APIMessageButtonInteractionData = { component_type: ComponentType.Button, custom_id: customId };
    const use: InteractionUse = { kind: 'button', data, messageId };
    return this.#interact(use, { applicationId: bot.applicationId, userId, guildId, channelId, locale });
  }

  #interact(
    use: InteractionUse,
    where: Pick<Interaction, 'applicationId' | 'userId' | 'guildId' | 'channelId'> & { readonly locale: `${Locale}` },
  ): SlashHandle {
    const world = this.#world;
    const interaction: Interaction = {
      ...where,
      locale: where.locale as Locale,
      id: world.ids.next(),
      token: randomToken(),
      use,
      createdAt: world.clock(),
      responseType: null,
      originalId: null,
    };
    world.interactions.put(interaction);
    world.changes.publish({ kind: 'interaction-created', guildId: interaction.guildId, interaction });
    return new SlashHandle(world, this.#messages, interaction);
  }

  /** @throws {Error} when the user cannot see such a command there */
  #shown(userId: Snowflake, channelOrGuildId: Snowflake, command: string) {
    const { id: channelId, guildId } = this.#channel(channelOrGuildId, userId);
    this.#require(channelId, userId, PermissionFlagsBits.ViewChannel | PermissionFlagsBits.UseApplicationCommands);
    const [name = '', ...path] = command.trim().split(/\s+/);
    const registered = this.#command(guildId, name);
    if (!mayUseCommand(this.#world, registered, channelId, userId)) {
      throw new Error(`User ${userId} is not shown command ${name} in guild ${guildId}`);
    }
    return { registered, path, channelId, guildId };
  }

  #channel(channelOrGuildId: Snowflake, userId: Snowflake): Channel {
    const { channels } = this.#world;
    const channel =
      channels.find(channelOrGuildId) ??
      channels.of(channelOrGuildId).find(({ id, type }) => {
        return type !== 'category' && has(this.#world.permissionsIn(id, userId), PermissionFlagsBits.ViewChannel);
      });
    if (!channel) throw new Error(`${channelOrGuildId} is no channel, nor a guild with one that ${userId} can see`);
    return channel;
  }

  #command(guildId: Snowflake, name: string): APIApplicationCommand {
    for (const { applicationId, userId } of this.#world.bots.all()) {
      if (!this.#world.guilds.findMember(guildId, userId)) continue;
      const command = this.#world.commands.find(applicationId, guildId, name);
      if (command) return command;
    }
    throw new Error(`No bot of guild ${guildId} has registered command ${JSON.stringify(name)}`);
  }

  #require(channelId: Snowflake, userId: Snowflake, wanted: bigint): void {
    if (!has(this.#world.permissionsIn(channelId, userId), wanted)) {
      throw new Error(`User ${userId} may not do that in channel ${channelId}`);
    }
  }
}

function usedCommand({ id, name, guild_id: guildId }: APIApplicationCommand) {
  return {
    id,
    name,
    type: ApplicationCommandType.ChatInput as const,
    ...(guildId !== undefined && { guild_id: guildId }),
  };
}

function hasButton({ components }: Message, customId: string): boolean {
  return components
    .flatMap((row) => (row.type === ComponentType.ActionRow ? row.components : []))
    .some((item) => item.type === ComponentType.Button && 'custom_id' in item && item.custom_id === customId);
}
