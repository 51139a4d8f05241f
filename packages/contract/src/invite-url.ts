import { BOT_PERMISSION_BITS } from './permissions.ts';

export interface Invitation {
  readonly authorizeUrl: string;
  readonly applicationId: string;
  /** The guild to invite the bot to; unless given, the user chooses one. */
  readonly guild?: string;
}

/**
 * Returns the URL of the page where a user adds the bot to a guild, with the permissions that the bot uses.
 * @see https://docs.discord.com/developers/topics/oauth2#bot-authorization-flow
 */
export function inviteUrl({ authorizeUrl, applicationId, guild }: Invitation): string {
  const url = new URL(authorizeUrl);
  url.searchParams.set('client_id', applicationId);
  url.searchParams.set('scope', 'bot applications.commands');
  url.searchParams.set('permissions', String(BOT_PERMISSION_BITS));
  if (guild !== undefined) {
    url.searchParams.set('guild_id', guild);
    url.searchParams.set('disable_guild_select', 'true');
  }
  return url.href;
}
