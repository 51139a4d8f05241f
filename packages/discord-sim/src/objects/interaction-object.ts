import {
  type APIApplicationCommandAutocompleteGuildInteraction,
  type APIChatInputApplicationCommandGuildInteraction,
  type APIGuildInteractionWrapper,
  type APIMessageComponentButtonInteraction,
  type APIModalSubmitGuildInteraction,
  ApplicationIntegrationType,
  InteractionContextType,
  InteractionType,
  Locale,
  type Snowflake,
} from 'discord-api-types/v10';
import type { Interaction } from '../world/interactions.ts';
import type { World } from '../world/world.ts';
import { channelObject } from './channel-object.ts';
import { memberObject } from './member-object.ts';
import { messageObject } from './message-object.ts';

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
