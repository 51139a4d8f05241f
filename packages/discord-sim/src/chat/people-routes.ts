import { PermissionFlagsBits, type Snowflake } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { listPeople } from '../world/accounts.ts';
import type { Channel, Guild } from '../world/entities.ts';
import { displayName } from '../world/guilds.ts';
import { has } from '../world/permissions.ts';
import type { World } from '../world/world.ts';
import { mayView, personOf } from './viewer.ts';

/** Registers the routes that list the users and their guilds: `GET /chat/people` and `GET /chat/people/:personId/guilds`. */
export function peopleRoutes(app: FastifyInstance, world: World): void {
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
  return visible.map((channel) => {
    const { id, name, type, parentId } = channel;
    // The page lists channels without their categories.
    return {
      id,
      name,
      type,
      parentId: type === 'thread' ? parentId : null,
      writable: mayWrite(world, channel, personId),
    };
  });
}

function mayWrite(world: World, { id, type }: Channel, personId: Snowflake): boolean {
  const { SendMessages, SendMessagesInThreads } = PermissionFlagsBits;
  return has(world.permissionsIn(id, personId), type === 'thread' ? SendMessagesInThreads : SendMessages);
}
