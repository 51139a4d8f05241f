import type { FastifyInstance } from 'fastify';
import { protectPage } from '../protect-page.ts';
import { channelStream } from './channel-stream.ts';
import { handleChatErrors } from './chat-refusal.ts';
import { type InteractionParts, interactionRoutes } from './interaction-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { pageFiles } from './page-files.ts';
import { peopleRoutes } from './people-routes.ts';

/** The path of the chat page below the simulator's address. */
export const CHAT_PATH = '/chat';

export interface ChatParts extends InteractionParts {
  readonly closing: AbortSignal;
}

/**
 * A page to try a bot without a Discord account, and its routes. They are not part of
 * Discord: faults, rate limits and the call log do not apply to them.
 */
export function chat(app: FastifyInstance, parts: ChatParts): void {
  const { world, people, closing } = parts;
  app.register(
    async (scope) => {
      protectPage(scope);
      handleChatErrors(scope);
      pageFiles(scope);
      peopleRoutes(scope, world);
      messageRoutes(scope, world, people);
      interactionRoutes(scope, parts);
      channelStream(scope, world, closing);
    },
    { prefix: CHAT_PATH },
  );
}
