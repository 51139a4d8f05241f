import { GatewayIntentBits } from 'discord-api-types/v10';

/**
 * The intents that must be enabled for an application before its bot may use them.
 *
 * @see https://discord.com/developers/docs/events/gateway#privileged-intents
 */
export const PRIVILEGED_INTENTS =
  GatewayIntentBits.GuildMembers | GatewayIntentBits.GuildPresences | GatewayIntentBits.MessageContent;
