import { DiscordAPIError, RESTJSONErrorCodes } from 'discord.js';

/** A reason why Discord rejects a request about a channel: the channel does not exist, or the bot may not write in it. */
export type PostFailure = 'gone' | 'forbidden';

/** Returns why Discord rejected a request about a channel; undefined: for another reason, or it did not respond. */
export function failureOf(error: unknown): PostFailure | undefined {
  if (!(error instanceof DiscordAPIError)) return undefined;
  switch (error.code) {
    case RESTJSONErrorCodes.UnknownChannel:
    case RESTJSONErrorCodes.UnknownGuild:
      return 'gone';
    case RESTJSONErrorCodes.MissingAccess:
    case RESTJSONErrorCodes.MissingPermissions:
      return 'forbidden';
    default:
      // Other refusals of this channel, such as a locked thread. Neither 401 nor 429 is about the channel.
      return error.status >= 400 && error.status < 500 && error.status !== 401 && error.status !== 429
        ? 'forbidden'
        : undefined;
  }
}
