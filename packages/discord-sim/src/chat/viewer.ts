import { PermissionFlagsBits, type Snowflake } from 'discord-api-types/v10';
import type { Channel, Message, User } from '../world/entities.ts';
import { has } from '../world/permissions.ts';
import type { World } from '../world/world.ts';
import { unknown } from './chat-refusal.ts';

/** Somebody looking at a channel. */
export interface Viewer {
  readonly person: User;
  readonly channel: Channel;
}

/** Where a {@link Viewer} stands in a path. */
export interface ViewerParams {
  readonly personId: Snowflake;
  readonly channelId: Snowflake;
}

/** @throws {ChatRefusal} 404 when there is no such user, or it is a bot */
export function personOf(world: World, personId: Snowflake): User {
  const user = world.findUser(personId);
  if (!user || user.bot) throw unknown(`There is no person ${personId}`);
  return user;
}

/** @throws {ChatRefusal} 404 when there is no such person, or no such channel that they can see */
export function viewerOf(world: World, { personId, channelId }: ViewerParams): Viewer {
  const person = personOf(world, personId);
  const channel = world.channels.find(channelId);
  if (!channel || !mayView(world, channelId, personId)) {
    throw unknown(`There is no channel ${channelId} that ${person.globalName ?? person.username} can see`);
  }
  return { person, channel };
}

/** Whether somebody can see a channel, which has to exist. */
export function mayView(world: World, channelId: Snowflake, userId: Snowflake): boolean {
  return has(world.permissionsIn(channelId, userId), PermissionFlagsBits.ViewChannel);
}

/** Whether a message is there for somebody who can see its channel: an ephemeral one is for one person. */
export function isFor(world: World, { ephemeral, interactionId }: Message, { person }: Viewer): boolean {
  if (!ephemeral) return true;
  return interactionId !== null && world.interactions.find(interactionId)?.userId === person.id;
}

/** The messages somebody sees in a channel, oldest first. */
export function messagesFor(world: World, viewer: Viewer): Message[] {
  return world.messages
    .all()
    .filter((message) => message.channelId === viewer.channel.id && !message.deleted && isFor(world, message, viewer));
}
