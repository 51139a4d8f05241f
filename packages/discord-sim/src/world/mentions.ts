import { AllowedMentionsTypes, type Snowflake } from 'discord-api-types/v10';
import type { Message } from './entities.ts';
import type { World } from './world.ts';

const USER_MENTION = /<@!?([0-9]{17,20})>/g;

/**
 * Returns the users that a message notifies: those in its text, as far as `allowed_mentions` allows, and the author that it
 * replies to.
 *
 * @see https://discord.com/developers/docs/resources/message#allowed-mentions-object
 */
export function mentionsIn(
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
