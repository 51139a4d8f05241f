/**
 * The permissions that can be granted for a channel, by discord.js's names: the bit number, and the channels in which
 * Discord has it (`T` text, announcement, forum, media and threads; `V` voice; `S` stage). A category has all of them.
 * @see https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags
 */
export const CHANNEL_PERMISSIONS = {
  CreateInstantInvite: [0, 'TVS'],
  ManageChannels: [4, 'TVS'],
  AddReactions: [6, 'TVS'],
  PrioritySpeaker: [8, 'V'],
  Stream: [9, 'VS'],
  ViewChannel: [10, 'TVS'],
  SendMessages: [11, 'TVS'],
  SendTTSMessages: [12, 'TVS'],
  ManageMessages: [13, 'TVS'],
  EmbedLinks: [14, 'TVS'],
  AttachFiles: [15, 'TVS'],
  ReadMessageHistory: [16, 'TVS'],
  MentionEveryone: [17, 'TVS'],
  UseExternalEmojis: [18, 'TVS'],
  Connect: [20, 'VS'],
  Speak: [21, 'V'],
  MuteMembers: [22, 'VS'],
  DeafenMembers: [23, 'V'],
  MoveMembers: [24, 'VS'],
  UseVAD: [25, 'V'],
  ManageRoles: [28, 'TVS'],
  ManageWebhooks: [29, 'TVS'],
  UseApplicationCommands: [31, 'TVS'],
  RequestToSpeak: [32, 'S'],
  ManageEvents: [33, 'VS'],
  ManageThreads: [34, 'T'],
  CreatePublicThreads: [35, 'T'],
  CreatePrivateThreads: [36, 'T'],
  UseExternalStickers: [37, 'TVS'],
  SendMessagesInThreads: [38, 'T'],
  UseEmbeddedActivities: [39, 'TV'],
  UseSoundboard: [42, 'V'],
  CreateEvents: [44, 'VS'],
  UseExternalSounds: [45, 'V'],
  SendVoiceMessages: [46, 'TVS'],
  SetVoiceChannelStatus: [48, 'V'],
  SendPolls: [49, 'TVS'],
  UseExternalApps: [50, 'TVS'],
  PinMessages: [51, 'T'],
  BypassSlowmode: [52, 'TVS'],
} as const satisfies Readonly<Record<string, readonly [bit: number, channels: string]>>;

export type ChannelPermission = keyof typeof CHANNEL_PERMISSIONS;

export const CHANNEL_PERMISSION_NAMES = Object.keys(CHANNEL_PERMISSIONS) as ChannelPermission[];

/**
 * Returns permissions as the decimal string of a bit set, in Discord's format, limited to those that can be granted for
 * a channel. An administrator has all of them.
 */
export function botPermissionsText(permissions: bigint): string {
  return String(CHANNEL_PERMISSION_NAMES.reduce((bits, name) => bits | (permissions & bitOf(name)), 0n));
}

/** Returns the bit of a permission. */
export function bitOf(name: ChannelPermission): bigint {
  return 1n << BigInt(CHANNEL_PERMISSIONS[name][0]);
}
