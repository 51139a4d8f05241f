import type { FastifyInstance } from 'fastify';
import { PageRefusal } from '../protect-page.ts';
import { displayName } from '../world/guilds.ts';
import type { World } from '../world/world.ts';

/** 404: there is no such thing, or the person cannot see it. */
export function unknown(what: string): PageRefusal {
  return new PageRefusal(404, what);
}

/**
 * Runs an action of a user.
 *
 * @throws {PageRefusal} 403 with the reason when Discord would not let them, ids replaced by names
 */
export function allowed<Result>(world: World, guildId: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PageRefusal(403, named(world, guildId, reason));
  }
}

/** Sends errors as `{ "message": … }`, also for unknown paths. */
export function handleChatErrors(app: FastifyInstance): void {
  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    return reply.code(error.statusCode ?? 500).send({ message: error.message });
  });
  app.setNotFoundHandler((request, reply) => {
    return reply.code(404).send({ message: `The chat has no ${request.method} ${request.url}` });
  });
}

function named(world: World, guildId: string, reason: string): string {
  return reason.replaceAll(/\b[0-9]{17,20}\b/g, (id) => {
    const channel = world.channels.find(id);
    if (channel) return `#${channel.name}`;
    return world.findUser(id) ? displayName(world, guildId, id) : (world.guilds.find(id)?.name ?? id);
  });
}
