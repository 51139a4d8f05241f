import type { FastifyInstance } from 'fastify';
import { record } from '../json.ts';
import type { People } from '../people/people.ts';
import { badInput } from '../protect-page.ts';
import { byAge } from '../world/snowflake.ts';
import type { World } from '../world/world.ts';
import { contentOf } from './chat-input.ts';
import { chatMessage } from './chat-message.ts';
import { allowed } from './chat-refusal.ts';
import { messagesFor, type Viewer, type ViewerParams, viewerOf } from './viewer.ts';

const MESSAGES_PATH = '/people/:personId/channels/:channelId/messages';
const PAGE = 50;

/** A page of the messages that a user sees in a channel, oldest first. */
export function messagePage(world: World, viewer: Viewer, before: string | null = null) {
  const older = messagesFor(world, viewer).filter(({ id }) => before === null || byAge(id, before) < 0);
  return { messages: older.slice(-PAGE).map((message) => chatMessage(world, message)), more: older.length > PAGE };
}

/** Registers the routes to read a channel, the newest 50 messages or those before one, and to write in it. */
export function messageRoutes(app: FastifyInstance, world: World, people: People): void {
  app.get<{ Params: ViewerParams }>(MESSAGES_PATH, async ({ params, query }) => {
    const viewer = viewerOf(world, params);
    const { before = null } = record(query);
    if (before !== null && !(typeof before === 'string' && /^[0-9]{1,20}$/.test(before))) {
      throw badInput('before', 'the id of a message', before);
    }
    return messagePage(world, viewer, before);
  });

  app.post<{ Params: ViewerParams }>(MESSAGES_PATH, async ({ params, body }, reply) => {
    const { person, channel } = viewerOf(world, params);
    const content = contentOf(body);
    const message = allowed(world, channel.guildId, () => people.sendMessage(person.id, channel.id, content));
    return reply.code(201).send(chatMessage(world, message));
  });
}
