import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { PermissionFlagsBits, type Snowflake } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { PAGE_FOLDER, protectPage, sendPage } from '../local-access.ts';
import { listPeople } from '../world/accounts.ts';
import type { Guild } from '../world/entities.ts';
import { displayName } from '../world/guilds.ts';
import { has } from '../world/permissions.ts';
import type { World } from '../world/world.ts';
import { type InteractionParts, interactionRoutes } from './chat-interactions.ts';
import { channelStream, messageRoutes } from './chat-messages.ts';
import { handleChatErrors, mayView, personOf } from './chat-request.ts';

export const CHAT_PATH = '/chat';

interface ChatParts extends InteractionParts {
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

function peopleRoutes(app: FastifyInstance, world: World): void {
  app.get('/people', async () => ({ people: listPeople(world) }));

  app.get<{ Params: { personId: Snowflake } }>('/people/:personId/guilds', async ({ params }) => {
    const { id: personId } = personOf(world, params.personId);
    const guilds = guildsOf(world, personId).map(({ id, name }) => ({
      id,
      name,
      channels: visibleChannels(world, id, personId),
      roles: world.guilds.roles(id).map((role) => ({ id: role.id, name: role.name })),
      members: world.membersOf(id).map(({ userId }) => {
        return { id: userId, name: displayName(world, id, userId), bot: world.user(userId).bot };
      }),
    }));
    return { guilds };
  });
}

/** Returns a user's guilds in the order in which they were added: the page opens with the first one. */
function guildsOf(world: World, personId: Snowflake): Guild[] {
  const theirs = new Map(world.membershipsOf(personId).map(({ guild }) => [guild.id, guild]));
  return world.guilds.ids().flatMap((id) => theirs.get(id) ?? []);
}

function visibleChannels(world: World, guildId: Snowflake, personId: Snowflake) {
  const visible = world
    .channelsOf(guildId)
    .filter(({ id, type }) => type !== 'category' && mayView(world, id, personId));
  return visible.map(({ id, name, type, parentId }) => {
    const { SendMessages, SendMessagesInThreads } = PermissionFlagsBits;
    const isThread = type === 'thread';
    const writable = has(world.permissionsIn(id, personId), isThread ? SendMessagesInThreads : SendMessages);
    // The page lists channels without their categories.
    return { id, name, type, parentId: isThread ? parentId : null, writable };
  });
}

const MEDIA_TYPES = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
]);

/** Registers the page and, below `/chat/page`, its existing files: one route for all of them, which starts faster. */
function pageFiles(app: FastifyInstance): void {
  const types = new Map(readdirSync(PAGE_FOLDER).map((file) => [file, MEDIA_TYPES.get(extname(file))]));
  app.get('', async (_request, reply) => sendPage(reply, 'index.html'));
  app.get<{ Params: { file: string } }>('/page/:file', async ({ params: { file } }, reply) => {
    const type = types.get(file);
    return type === undefined
      ? reply.callNotFound()
      : reply.type(type).send(await readFile(new URL(file, PAGE_FOLDER)));
  });
}
