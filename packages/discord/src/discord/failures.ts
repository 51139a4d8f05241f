import { DiscordAPIError, RESTJSONErrorCodes } from 'discord.js';

/** A reason why Discord rejects a request about a channel: the channel does not exist, or the bot may not write in it. */
export type PostFailure = 'gone' | 'forbidden';

/** Returns why Discord rejected a request about a channel; undefined: for another reason, or without a response. */
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
      // Other refusals for this channel, such as a locked thread. 401 and 429 do not concern the channel.
      return error.status >= 400 && error.status < 500 && error.status !== 401 && error.status !== 429
        ? 'forbidden'
        : undefined;
  }
}
