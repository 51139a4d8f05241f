import type { FastifyInstance } from 'fastify';
import type { Message } from '../world/entities.ts';
import { isFor } from '../world/post-message.ts';
import type { World } from '../world/world.ts';
import { chatMessage } from './chat-message.ts';
import { EventStream } from './event-stream.ts';
import { messagePage } from './message-routes.ts';
import { mayView, type Viewer, type ViewerParams, viewerOf } from './viewer.ts';

const STREAM_PATH = '/people/:personId/channels/:channelId/stream';

/**
 * `GET /chat/people/:personId/channels/:channelId/stream`: the events of a channel as a user sees them. It begins with
 * `history`, the newest messages, so that no event is missed. Then follow `message` for one
 * that is new or has changed, `deleted` with the id of one that is gone, and `places` when guilds, channels or members
 * have changed.
 */
export function channelStream(app: FastifyInstance, world: World, closing: AbortSignal): void {
  app.get<{ Params: ViewerParams }>(STREAM_PATH, { exposeHeadRoute: false }, (request, reply) => {
    const viewer = viewerOf(world, request.params);
    const stream = new EventStream(reply);
    stream.send('history', messagePage(world, viewer));
    const unsubscribe = world.changes.subscribe((change) => {
      if ('message' in change) {
        if (reaches(world, change.message, viewer)) stream.send(...messageEvent(world, change.message));
      } else if (!('interaction' in change) && concerns(world, change.guildId, viewer)) {
        stream.send('places', { guildId: change.guildId });
      }
    });
    stream.onEnd(closing, unsubscribe);
  });
}

function reaches(world: World, message: Message, viewer: Viewer): boolean {
  const { channel, person } = viewer;
  if (message.channelId !== channel.id || !world.channels.find(channel.id)) return false;
  return mayView(world, channel.id, person.id) && isFor(world, message, person.id);
}

function messageEvent(world: World, message: Message): [event: string, data: unknown] {
  return message.deleted ? ['deleted', { id: message.id }] : ['message', chatMessage(world, message)];
}

/** The channel's own guild counts, too: its viewer may just have been removed from it. */
function concerns(world: World, guildId: string, { channel, person }: Viewer): boolean {
  return guildId === channel.guildId || world.guilds.findMember(guildId, person.id) !== null;
}
