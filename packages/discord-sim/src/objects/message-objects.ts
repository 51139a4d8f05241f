import {
  type APIApplicationCommandAutocompleteGuildInteraction,
  type APIChatInputApplicationCommandGuildInteraction,
  type APIGuildInteractionWrapper,
  type APIMessage,
  type APIMessageComponentButtonInteraction,
  type APIMessageInteractionMetadata,
  type APIMessageReference,
  type APIMessageTopLevelComponent,
  type APIModalSubmitGuildInteraction,
  type APIModalSubmitInteractionMetadata,
  ApplicationIntegrationType,
  ComponentType,
  InteractionContextType,
  InteractionType,
  Locale,
  type MessageFlags,
  MessageReferenceType,
  MessageType,
  type Snowflake,
} from 'discord-api-types/v10';
import type { Message } from '../world/entities.ts';
import type { Interaction } from '../world/messages.ts';
import type { World } from '../world/world.ts';
import { channelObject, memberObject, userObject } from './guild-objects.ts';

/** @see https://discord.com/developers/docs/resources/message#message-object */
export function messageObject(world: World, message: Message): APIMessage {
  const { replyTo } = message;
  const original = replyTo === null ? null : world.messages.find(replyTo);
  const interaction = message.interactionId === null ? null : world.interactions.find(message.interactionId);
  return {
    id: message.id,
    channel_id: message.channelId,
    author: userObject(world.user(message.authorId)),
    content: message.content,
    timestamp: new Date(message.createdAt).toISOString(),
    edited_timestamp: message.editedAt === null ? null : new Date(message.editedAt).toISOString(),
    tts: false,
    mention_everyone: false,
    mentions: message.mentions.map((id) => userObject(world.user(id))),
    mention_roles: [],
    attachments: [],
    embeds: [...message.embeds],
    components: numberedComponents(message.components),
    pinned: false,
    type: messageType(message),
    flags: message.flags as MessageFlags,
    ...(message.nonce !== null && { nonce: message.nonce }),
    ...(interaction && { application_id: interaction.applicationId }),
    ...(interaction && { interaction_metadata: interactionMetadata(world, interaction, message.id) }),
    ...(replyTo !== null && { message_reference: reference(message, replyTo) }),
    ...(replyTo !== null && {
      referenced_message: original && !original.deleted ? messageObject(world, { ...original, replyTo: null }) : null,
    }),
  };
}

type ModalOpener = APIModalSubmitInteractionMetadata['triggering_interaction_metadata'];

/** @see https://docs.discord.com/developers/resources/message#message-interaction-metadata-object */
function interactionMetadata(
  world: World,
  { id, userId, guildId, use, originalId }: Interaction,
  messageId: string,
): APIMessageInteractionMetadata {
  const common = {
    id,
    user: userObject(world.user(userId)),
    authorizing_integration_owners: { [ApplicationIntegrationType.GuildInstall]: guildId },
    ...(originalId !== null && originalId !== messageId && { original_response_message_id: originalId }),
  };
  switch (use.kind) {
    case 'button':
      return { ...common, type: InteractionType.MessageComponent, interacted_message_id: use.messageId };
    case 'modal': {
      const opener = world.interactions.find(use.openedBy);
      if (!opener) throw new Error(`Interaction ${use.openedBy} is no longer kept`);
      // A modal cannot be the response to a modal.
      const by = interactionMetadata(world, opener, messageId) as ModalOpener;
      return { ...common, type: InteractionType.ModalSubmit, triggering_interaction_metadata: by };
    }
    default:
      return { ...common, type: InteractionType.ApplicationCommand };
  }
}

function messageType({ replyTo, interactionId }: Message) {
  if (interactionId !== null) return MessageType.ChatInputCommand;
  return replyTo === null ? MessageType.Default : MessageType.Reply;
}

function reference({ channelId, guildId }: Message, messageId: string): APIMessageReference {
  return { type: MessageReferenceType.Default, message_id: messageId, channel_id: channelId, guild_id: guildId };
}

/**
 * Returns components with the numbers that Discord assigns: in order, skipping those chosen by the bot.
 *
 * @see https://discord.com/developers/docs/components/reference#anatomy-of-a-component
 */
function numberedComponents(components: readonly APIMessageTopLevelComponent[]): APIMessageTopLevelComponent[] {
  const chosen = new Set(components.flatMap((component) => [component, ...itemsOf(component)]).map(({ id }) => id));
  let last = 0;
  const next = (): number => {
    do last += 1;
    while (chosen.has(last));
    return last;
  };
  // The number 0 counts as absent.
  const numbered = <Component extends { id?: number }>(component: Component) => ({
    ...component,
    id: component.id || next(),
  });
  return components.map((component) => {
    const top = numbered(component);
    return top.type === ComponentType.ActionRow ? { ...top, components: top.components.map(numbered) } : top;
  });
}

function itemsOf(component: APIMessageTopLevelComponent): readonly { readonly id?: number }[] {
  return component.type === ComponentType.ActionRow ? component.components : [];
}

const ATTACHMENT_BYTES = 10 * 1024 * 1024;

/** @see https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object */
export function interactionObject(
  world: World,
  interaction: Interaction,
):
  | APIChatInputApplicationCommandGuildInteraction
  | APIApplicationCommandAutocompleteGuildInteraction
  | APIGuildInteractionWrapper<APIMessageComponentButtonInteraction>
  | APIModalSubmitGuildInteraction {
  const { use, channelId } = interaction;
  const channel = channelObject(world, world.channels.channel(channelId));
  switch (use.kind) {
    case 'command':
      return { ...common(world, interaction), type: InteractionType.ApplicationCommand, channel, data: use.data };
    case 'autocomplete': {
      const type = InteractionType.ApplicationCommandAutocomplete;
      return { ...common(world, interaction), type, channel, data: use.data };
    }
    case 'button': {
      const message = sourceMessage(world, use.messageId);
      return {
        ...common(world, interaction),
        type: InteractionType.MessageComponent,
        channel,
        message,
        data: use.data,
      };
    }
    case 'modal': {
      const source = use.messageId === null ? {} : { message: sourceMessage(world, use.messageId) };
      return { ...common(world, interaction), ...source, type: InteractionType.ModalSubmit, channel, data: use.data };
    }
  }
}

function sourceMessage(world: World, id: Snowflake) {
  const message = world.messages.find(id);
  if (!message) throw new Error(`Message ${id} is no longer kept`);
  return messageObject(world, message);
}

function common(world: World, { id, token, applicationId, userId, guildId, channelId, locale }: Interaction) {
  const { userId: botId } = world.bots.bot(applicationId);
  const guildLocale = (world.guilds.guild(guildId).preferredLocale ?? Locale.EnglishUS) as Locale;
  return {
    id,
    application_id: applicationId,
    token,
    version: 1,
    guild_id: guildId,
    guild: { id: guildId, locale: guildLocale, features: [] },
    channel_id: channelId,
    member: {
      ...memberObject(world, world.guilds.member(guildId, userId)),
      permissions: world.permissionsIn(channelId, userId).toString(),
    },
    locale,
    guild_locale: guildLocale,
    app_permissions: world.permissionsIn(channelId, botId).toString(),
    entitlements: [],
    authorizing_integration_owners: { [ApplicationIntegrationType.GuildInstall]: guildId },
    context: InteractionContextType.Guild,
    attachment_size_limit: ATTACHMENT_BYTES,
  } satisfies Partial<APIChatInputApplicationCommandGuildInteraction>;
}
