import { AllowedMentionsTypes, MessageFlags, type Snowflake } from 'discord-api-types/v10';
import type { Message } from './entities.ts';
import type { World } from './world.ts';

type MessageDraft = Pick<Message, 'channelId' | 'authorId' | 'content'> &
  Partial<Pick<Message, 'embeds' | 'components' | 'flags' | 'nonce' | 'allowedMentions' | 'replyTo' | 'interactionId'>>;

export type MessageEdit = Partial<Pick<Message, 'content' | 'embeds' | 'components' | 'flags' | 'allowedMentions'>>;

export function postMessage(world: World, draft: MessageDraft): Message {
  const { guildId } = world.channels.channel(draft.channelId);
  const message = { ...newMessage(world, draft), guildId, mentions: mentionsIn(world, draft) };
  world.messages.add(message);
  world.changes.publish({ kind: 'message-created', guildId, message });
  return message;
}

/** Returns a message outside of guilds, which mentions no users. */
export function newMessage(world: World, draft: MessageDraft): Message {
  return {
    embeds: [],
    components: [],
    nonce: null,
    allowedMentions: null,
    replyTo: null,
    interactionId: null,
    ...draft,
    id: world.ids.next(),
    guildId: '',
    ...flagged(draft.flags ?? 0),
    mentions: [],
    createdAt: world.clock(),
    editedAt: null,
    deleted: false,
  };
}

/** Edits a message, or fills in a deferred response. */
export function editMessage(world: World, message: Message, edit: MessageEdit): Message {
  const { guildId } = message;
  const merged = { ...message, ...edit, ...flagged(edit.flags ?? message.flags), editedAt: world.clock() };
  const edited: Message = { ...merged, mentions: mentionsIn(world, merged) };
  world.messages.replace(edited);
  world.changes.publish({ kind: 'message-updated', guildId, message: edited });
  return edited;
}

/** Deletes a message. It stays readable, marked as deleted. */
export function deleteMessage(world: World, message: Message): void {
  const deleted = { ...message, deleted: true };
  world.messages.replace(deleted);
  world.changes.publish({ kind: 'message-deleted', guildId: message.guildId, message: deleted });
}

export function visibleMessage(world: World, channelId: Snowflake, messageId: Snowflake): Message | null {
  const message = world.messages.find(messageId);
  return message?.channelId === channelId && !message.deleted ? message : null;
}

/** Returns true if a user who can see the channel can see a message: an ephemeral message is for one user. */
export function isFor(world: World, { ephemeral, interactionId }: Message, userId: Snowflake): boolean {
  if (!ephemeral) return true;
  return interactionId !== null && world.interactions.find(interactionId)?.userId === userId;
}

function flagged(flags: number) {
  return {
    flags,
    ephemeral: (flags & MessageFlags.Ephemeral) !== 0,
    loading: (flags & MessageFlags.Loading) !== 0,
  };
}

const USER_MENTION = /<@!?([0-9]{17,20})>/g;

/**
 * Returns the users that a message notifies: those in its text, as far as `allowed_mentions` allows, and the author to
 * whom it replies.
 *
 * @see https://discord.com/developers/docs/resources/message#allowed-mentions-object
 */
function mentionsIn(
  world: World,
  {
    content,
    allowedMentions = null,
    replyTo = null,
  }: Pick<Message, 'content'> & Partial<Pick<Message, 'allowedMentions' | 'replyTo'>>,
): Snowflake[] {
  const named = [...content.matchAll(USER_MENTION)].flatMap(([, id]) => (id === undefined ? [] : [id]));
  const allowed = named.filter((id) => {
    if (allowedMentions === null || allowedMentions.parse?.includes(AllowedMentionsTypes.User)) return true;
    return allowedMentions.users?.includes(id) ?? false;
  });
  const original = replyTo === null ? null : world.messages.find(replyTo);
  if (original && (allowedMentions === null || allowedMentions.replied_user === true)) allowed.push(original.authorId);
  return [...new Set(allowed)].filter((id) => world.findUser(id) !== null);
}
