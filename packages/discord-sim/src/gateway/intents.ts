import { GatewayIntentBits } from 'discord-api-types/v10';
import { PRIVILEGED_INTENTS } from '../world/bots.ts';
import type { Bot, Message } from '../world/entities.ts';
import type { WorldChange } from '../world/world-changes.ts';

const KNOWN = Object.values(GatewayIntentBits)
  .filter((bit) => typeof bit === 'number')
  .reduce((all, bit) => all | bit, 0);

export const INTENT_OF: Readonly<Record<WorldChange['kind'], number>> = {
  'guild-available': GatewayIntentBits.Guilds,
  'guild-lost': GatewayIntentBits.Guilds,
  'guild-updated': GatewayIntentBits.Guilds,
  'channel-created': GatewayIntentBits.Guilds,
  'channel-updated': GatewayIntentBits.Guilds,
  'channel-deleted': GatewayIntentBits.Guilds,
  'role-created': GatewayIntentBits.Guilds,
  'role-updated': GatewayIntentBits.Guilds,
  'role-deleted': GatewayIntentBits.Guilds,
  'member-added': GatewayIntentBits.GuildMembers,
  'member-updated': GatewayIntentBits.GuildMembers,
  'member-removed': GatewayIntentBits.GuildMembers,
  'message-created': GatewayIntentBits.GuildMessages,
  'message-updated': GatewayIntentBits.GuildMessages,
  'message-deleted': GatewayIntentBits.GuildMessages,
  'command-permissions-updated': 0,
  'interaction-created': 0,
  'interaction-answered': 0,
};

export function areIntents(intents: unknown): intents is number {
  return Number.isInteger(intents) && (Number(intents) & ~KNOWN) === 0 && Number(intents) <= KNOWN;
}

export function areAllowed(intents: number, bot: Bot): boolean {
  return (intents & PRIVILEGED_INTENTS & ~bot.privilegedIntents) === 0;
}

/**
 * Returns whether the bot receives the content of a message.
 *
 * @see https://discord.com/developers/docs/events/gateway#message-content-intent
 */
export function mayRead(message: Message, intents: number, bot: Bot): boolean {
  if ((intents & GatewayIntentBits.MessageContent) !== 0) return true;
  return message.authorId === bot.userId || message.mentions.includes(bot.userId);
}
