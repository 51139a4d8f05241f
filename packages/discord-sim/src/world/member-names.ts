import type { Member } from './entities.ts';
import type { World } from './world.ts';

/** Returns whether the username, the display name or the nickname of a member begins with a text, in any case. */
export function isNamedLike(world: World, { userId, nick }: Member, beginning: string): boolean {
  const { username, globalName } = world.user(userId);
  return [username, globalName, nick].some((name) => name?.toLowerCase().startsWith(beginning.toLowerCase()));
}
