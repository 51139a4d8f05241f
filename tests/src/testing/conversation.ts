import type { DiscordSim, Message, SlashUse, SlashValues } from '@guild-settings/discord-sim';
import { BOT } from '@guild-settings/discord-sim/testing/world';

export interface Conversation {
  send(text: string): Promise<string>;
  slash(command: string, values?: SlashValues, use?: SlashUse): Promise<string>;
  /** Sends a message without waiting for a reply. */
  post(text: string): Message;
}

/** Creates a conversation of a user with the bot. @param client the language of the user's client; English unless given */
export function talkToBot(
  { people, messages }: DiscordSim,
  userId: string,
  channelId: string,
  client: SlashUse = {},
): Conversation {
  return {
    async send(text) {
      const message = people.sendMessage(userId, channelId, text);
      const reply = await messages.waitFor(
        ({ replyTo, authorId }) => replyTo === message.id && authorId === BOT.userId,
      );
      return reply.content;
    },
    async slash(command, values, use = client) {
      return (await people.slash(userId, channelId, command, values, use).reply()).content;
    },
    post: (text) => people.sendMessage(userId, channelId, text),
  };
}
