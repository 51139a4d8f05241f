import {
  type APIMessageComponentEmoji,
  type APIMessageTopLevelComponent,
  ComponentType,
  InteractionResponseType,
  MessageFlags,
  type Snowflake,
} from 'discord-api-types/v10';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { record } from '../json.ts';
import { badInput } from '../local-access.ts';
import type { People } from '../people/people.ts';
import { commandPath } from '../people/slash-options.ts';
import type { Message } from '../world/entities.ts';
import { displayName } from '../world/guilds.ts';
import type { Interaction } from '../world/messages.ts';
import { isFor } from '../world/post-message.ts';
import { byAge } from '../world/snowflake.ts';
import type { World } from '../world/world.ts';
import { allowed, contentOf, mayView, messagesFor, type Viewer, type ViewerParams, viewerOf } from './chat-request.ts';

const MESSAGES_PATH = '/people/:personId/channels/:channelId/messages';
const PAGE = 50;

function messagePage(world: World, viewer: Viewer, before: string | null = null) {
  const older = messagesFor(world, viewer).filter(({ id }) => before === null || byAge(id, before) < 0);
  return { messages: older.slice(-PAGE).map((message) => chatMessage(world, message)), more: older.length > PAGE };
}

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

const STREAM_PATH = '/people/:personId/channels/:channelId/stream';

/**
 * `GET /chat/people/:personId/channels/:channelId/stream`: the events of a channel as a user sees them. It begins with
 * `history`, the newest messages, so that no event is missed. `message` follows for a new or changed message, `deleted`
 * with the id of a deleted one, and `places` when guilds, channels or members have changed.
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

/** The channel's own guild also counts: its viewer may just have been removed from it. */
function concerns(world: World, guildId: string, { channel, person }: Viewer): boolean {
  return guildId === channel.guildId || world.guilds.findMember(guildId, person.id) !== null;
}

/** Unsent bytes above which a slow reader is disconnected. Its browser reconnects. */
const MAX_WAITING = 1024 * 1024;

/** @see https://html.spec.whatwg.org/multipage/server-sent-events.html */
class EventStream {
  readonly #reply: FastifyReply;

  /** Begins the response, with the headers set on the reply so far. */
  constructor(reply: FastifyReply) {
    this.#reply = reply.hijack();
    const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream; charset=utf-8' };
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) reply.raw.setHeader(name, value);
    reply.raw.writeHead(200);
    reply.raw.write('retry: 1000\n\n');
  }

  send(event: string, data: unknown): void {
    const { raw } = this.#reply;
    if (raw.destroyed || raw.writableEnded) return;
    raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    if (raw.writableLength > MAX_WAITING) raw.destroy();
  }

  onEnd(signal: AbortSignal, ended: () => void): void {
    const { raw } = this.#reply;
    const end = (): void => void raw.end();
    raw.once('close', () => {
      signal.removeEventListener('abort', end);
      ended();
    });
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  }
}

function chatMessage(world: World, message: Message) {
  const { id, guildId, authorId, content, ephemeral, loading, createdAt } = message;
  const interaction = message.interactionId === null ? null : world.interactions.find(message.interactionId);
  return {
    id,
    author: { id: authorId, name: displayName(world, guildId, authorId), bot: world.user(authorId).bot },
    content,
    embeds: message.flags & MessageFlags.SuppressEmbeds ? [] : message.embeds,
    buttons: message.components.map(buttonsOf).filter((row) => row.length > 0),
    ephemeral,
    loading,
    use: interaction && useOf(world, interaction),
    replyTo: message.replyTo === null ? null : replied(world, guildId, message.replyTo),
    createdAt,
    editedAt: interaction && wasDeferred(interaction, id) ? null : message.editedAt,
  };
}

/** Filling in a deferred response does not count as an edit. */
function wasDeferred({ responseType, originalId }: Interaction, id: Snowflake): boolean {
  return responseType === InteractionResponseType.DeferredChannelMessageWithSource && originalId === id;
}

function useOf(world: World, { userId, guildId, use }: Interaction) {
  const name = displayName(world, guildId, userId);
  return { name, command: use.kind === 'command' ? commandPath(use.data) : null };
}

function replied(world: World, guildId: Snowflake, messageId: Snowflake) {
  const original = world.messages.find(messageId);
  if (!original || original.deleted || original.ephemeral) return { name: null, content: null };
  return { name: displayName(world, guildId, original.authorId), content: original.content };
}

/** Returns the buttons of a row; other components are left out. */
function buttonsOf(row: APIMessageTopLevelComponent) {
  if (row.type !== ComponentType.ActionRow) return [];
  return row.components.flatMap((button) => {
    if (button.type !== ComponentType.Button) return [];
    const [emoji, label] = ['emoji' in button && button.emoji, 'label' in button && button.label];
    return {
      customId: 'custom_id' in button ? button.custom_id : null,
      url: 'url' in button ? button.url : null,
      label: [emoji && emojiText(emoji), label].filter(Boolean).join(' '),
      style: button.style,
      disabled: button.disabled ?? false,
    };
  });
}

function emojiText({ id, name }: APIMessageComponentEmoji): string {
  return id ? `:${name}:` : (name ?? '');
}
