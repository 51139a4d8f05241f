import {
  type APIGuild,
  GuildDefaultMessageNotifications,
  GuildExplicitContentFilter,
  GuildMFALevel,
  GuildNSFWLevel,
  GuildPremiumTier,
  type GuildSystemChannelFlags,
  GuildVerificationLevel,
  Locale,
  type Snowflake,
} from 'discord-api-types/v10';
import type { World } from '../world/world.ts';
import { guildRoleObjects } from './member-object.ts';

/**
 * Returns the guild with its roles, one for each member among them, which carries the member's permissions. Some properties
 * are only in Discord's OpenAPI document.
 *
 * @see https://discord.com/developers/docs/resources/guild#guild-object
 */
export function guildObject(world: World, guildId: Snowflake) {
  const { id, name, icon, ownerId, ...more } = world.guilds.guild(guildId);
  const { preferredLocale = Locale.EnglishUS, systemChannelId = null, publicUpdatesChannelId = null } = more;
  return {
    id,
    name,
    icon,
    splash: null,
    discovery_splash: null,
    owner_id: ownerId,
    afk_channel_id: null,
    afk_timeout: 300,
    verification_level: GuildVerificationLevel.None,
    default_message_notifications: GuildDefaultMessageNotifications.OnlyMentions,
    explicit_content_filter: GuildExplicitContentFilter.Disabled,
    roles: guildRoleObjects(world, id),
    emojis: [],
    stickers: [],
    features: [],
    mfa_level: GuildMFALevel.None,
    application_id: null,
    system_channel_id: systemChannelId,
    system_channel_flags: 0 as GuildSystemChannelFlags,
    rules_channel_id: null,
    vanity_url_code: null,
    description: null,
    banner: null,
    premium_tier: GuildPremiumTier.None,
    preferred_locale: preferredLocale as Locale,
    public_updates_channel_id: publicUpdatesChannelId,
    nsfw_level: GuildNSFWLevel.Default,
    premium_progress_bar_enabled: false,
    hub_type: null,
    safety_alerts_channel_id: null,
    incidents_data: null,
    region: 'us-central',
    widget_enabled: false,
    widget_channel_id: null,
    max_presences: null,
    max_members: 500_000,
    max_video_channel_users: 25,
    max_stage_video_channel_users: 50,
    premium_subscription_count: 0,
    home_header: null,
    nsfw: false,
  } satisfies APIGuild & { home_header: null; nsfw: boolean };
}
