import { GatewayIntentBits } from 'discord-api-types/v10';

/**
 * Every intent that must be switched on for an application before its bot may ask for it.
 *
 * @see https://discord.com/developers/docs/events/gateway#privileged-intents
 */
export const PRIVILEGED_INTENTS =
  GatewayIntentBits.GuildMembers | GatewayIntentBits.GuildPresences | GatewayIntentBits.MessageContent;
