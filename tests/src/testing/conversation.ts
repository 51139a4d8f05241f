import type { DiscordSim, Message, SlashUse, SlashValues } from '@guild-settings/discord-sim';
import { BOT } from '@guild-settings/sandbox/world';

/** A person in a channel, who talks with the bot. */
export interface Conversation {
  /** Writes, and gives what the bot replies. */
  ask(text: string): Promise<string>;
  /** Uses a slash command, and gives what the bot answers. */
  slash(command: string, values?: SlashValues, use?: SlashUse): Promise<string>;
  /** Writes, and waits for nothing. */
  say(text: string): Message;
}

/** Makes a person talk in a channel. */
export function converse({ people, messages }: DiscordSim, userId: string, channelId: string): Conversation {
  return {
    async ask(text) {
      const said = people.say(userId, channelId, text);
      const reply = await messages.waitFor(({ replyTo, authorId }) => replyTo === said.id && authorId === BOT.userId, {
        timeoutMs: 10_000,
      });
      return reply.content;
    },
    async slash(command, values, use) {
      return (await people.slash(userId, channelId, command, values, use).reply({ timeoutMs: 10_000 })).content;
    },
    say: (text) => people.say(userId, channelId, text),
  };
}
