import type { FastifyInstance } from 'fastify';
import type { People } from '../people/people.ts';
import { protectPage } from '../protect-page.ts';
import type { World } from '../world/world.ts';
import { channelStream } from './channel-stream.ts';
import { handleChatErrors } from './chat-refusal.ts';
import { interactionRoutes } from './interaction-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { pageFiles } from './page-files.ts';
import { peopleRoutes } from './people-routes.ts';

/** Where the chat page lives below the simulator's address. */
export const CHAT_PATH = '/chat';

/** What the chat stands on. */
export interface ChatParts {
  readonly world: World;
  readonly people: People;
  /** Ends the streams. */
  readonly closing: AbortSignal;
}

/**
 * A page to try a bot without a Discord account, and its routes. They are not part of
 * Discord: faults, rate limits and the call log do not apply to them.
 */
export function chat(app: FastifyInstance, { world, people, closing }: ChatParts): void {
  app.register(
    async (scope) => {
      protectPage(scope);
      handleChatErrors(scope);
      pageFiles(scope);
      peopleRoutes(scope, world);
      messageRoutes(scope, world, people);
      interactionRoutes(scope, world, people);
      channelStream(scope, world, closing);
    },
    { prefix: CHAT_PATH },
  );
}
