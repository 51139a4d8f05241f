import type { FastifyInstance } from 'fastify';
import type { GatewayOptions } from '../../gateway/gateway.ts';
import type { World } from '../../world/world.ts';
import { channels } from './channels.ts';
import { commands } from './commands.ts';
import { createMessage } from './create-message.ts';
import { currentApplication } from './current-application.ts';
import { gatewayBot } from './gateway-bot.ts';
import { guilds } from './guilds.ts';
import { interactionCallback } from './interaction-callback.ts';
import { messages } from './messages.ts';
import { oneCommand } from './one-command.ts';
import { users } from './users.ts';
import { webhookMessages } from './webhook-messages.ts';

/** Dependencies of the bot routes. */
export interface BotRouteParts {
  readonly world: World;
  readonly gatewayOptions: GatewayOptions;
}

/** Registers the routes for bots. */
export function botRoutes(api: FastifyInstance, { world, gatewayOptions }: BotRouteParts): void {
  gatewayBot(api, world, gatewayOptions);
  currentApplication(api, world);
  // The same at its older path, `/oauth2/applications/@me`, which discord.py requests.
  api.register(async (oauth2) => currentApplication(oauth2, world), { prefix: '/oauth2' });
  users(api, world);
  guilds(api, world);
  channels(api, world);
  createMessage(api, world);
  messages(api, world);
  commands(api, world);
  oneCommand(api, world);
  interactionCallback(api, world);
  webhookMessages(api, world);
}
