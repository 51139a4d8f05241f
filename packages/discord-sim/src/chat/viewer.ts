import { PermissionFlagsBits, type Snowflake } from 'discord-api-types/v10';
import { findPerson } from '../world/accounts.ts';
import type { Channel, Message, User } from '../world/entities.ts';
import { has } from '../world/permissions.ts';
import { isFor } from '../world/post-message.ts';
import type { World } from '../world/world.ts';
import { unknown } from './chat-refusal.ts';

export interface Viewer {
  readonly person: User;
  readonly channel: Channel;
}

export interface ViewerParams {
  readonly personId: Snowflake;
  readonly channelId: Snowflake;
}

/** @throws {PageRefusal} 404 when there is no such user, or it is a bot */
export function personOf(world: World, personId: Snowflake): User {
  const person = findPerson(world, personId);
  if (!person) throw unknown(`There is no person ${personId}`);
  return person;
}

/** @throws {PageRefusal} 404 when there is no such user, or no such channel that they can see */
export function viewerOf(world: World, { personId, channelId }: ViewerParams): Viewer {
  const person = personOf(world, personId);
  const channel = world.channels.find(channelId);
  if (!channel || !mayView(world, channelId, personId)) {
    throw unknown(`There is no channel ${channelId} that ${person.globalName ?? person.username} can see`);
  }
  return { person, channel };
}

export function mayView(world: World, channelId: Snowflake, userId: Snowflake): boolean {
  return has(world.permissionsIn(channelId, userId), PermissionFlagsBits.ViewChannel);
}

export function messagesFor(world: World, { person, channel }: Viewer): Message[] {
  return world.messages
    .all()
    .filter((message) => message.channelId === channel.id && !message.deleted && isFor(world, message, person.id));
}
