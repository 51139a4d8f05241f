import type { Snowflake } from 'discord-api-types/v10';
import type { User } from '../world/entities.ts';
import type { World } from '../world/world.ts';

/** Returns the users who are no bots, from whom the user of a page chooses. */
export function listPeople(world: World) {
  return world.users().flatMap(({ id, username, globalName, bot }) => {
    return bot ? [] : [{ id, username, name: globalName ?? username }];
  });
}

export function findPerson(world: World, id: Snowflake): User | null {
  const user = world.findUser(id);
  return user && !user.bot ? user : null;
}

/** Returns the display name of a member: the nickname, the global name or the username. */
export function displayName(world: World, guildId: Snowflake, userId: Snowflake): string {
  const { globalName, username } = world.user(userId);
  return world.guilds.findMember(guildId, userId)?.nick ?? globalName ?? username;
}
