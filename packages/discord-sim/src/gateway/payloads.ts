import { PresenceUpdateStatus } from 'discord-api-types/v10';

type Fields = Readonly<Record<string, unknown>>;

const STATUSES: ReadonlySet<unknown> = new Set(Object.values(PresenceUpdateStatus));

/** Returns whether a value is a JSON object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value is a number of events: an integer from 0. */
export function isSequence(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Returns whether a value is a list of strings. */
export function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/**
 * Returns whether this is the data of a presence update. Discord accepts one without `afk` only.
 *
 * @see https://discord.com/developers/docs/events/gateway-events#update-presence
 */
export function isPresence(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { since, activities, status, afk } = value;
  const isKnown = activities === null || (Array.isArray(activities) && activities.every(isActivity));
  return isKnown && (since === null || isSequence(since)) && STATUSES.has(status) && isOptionalBoolean(afk);
}

/**
 * Returns whether this is the data of a voice state update.
 *
 * @see https://discord.com/developers/docs/events/gateway-events#update-voice-state
 */
export function isVoiceState(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { guild_id: guildId, channel_id: channelId, self_mute: isMuted, self_deaf: isDeafened } = value;
  const isPlace = typeof guildId === 'string' && (channelId === null || typeof channelId === 'string');
  return isPlace && isOptionalBoolean(isMuted) && isOptionalBoolean(isDeafened);
}

function isActivity(value: unknown): boolean {
  return isObject(value) && typeof value.name === 'string' && (value.type === undefined || isSequence(value.type));
}

function isOptionalBoolean(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}
