/** Code points of an audit-log reason, after URL decoding. */
const REASON = 512;

/** The limits of requests. Lengths are in Unicode code points, sizes in bytes. */
export const LIMITS = {
  prefix: 20,
  features: 64,
  featureName: 64,
  reason: REASON,
  /** Characters of the audit-log reason header: up to four bytes per code point, and three per encoded byte. */
  reasonHeader: REASON * 4 * 3,
  /** Characters of If-Match and of If-None-Match: some fifty entity tags. */
  conditionHeader: 1_024,
  historyEntries: 100,
  /** Entries in a part of a history, unless a request specifies a number. */
  historyEntriesDefault: 50,
  /** Bytes of a body, and of the input of a tRPC call, unless the operation allows more. */
  bodyBytes: 16 * 1024,
  /** Bytes of an import: an export with its history, or the rows of many guilds. */
  importBytes: 2 * 1024 * 1024,
  /** Bytes of the history in an export. Even with white space for readers it is smaller than `importBytes`. */
  exportedHistoryBytes: 512 * 1024,
  unknownFields: 64,
  importGuilds: 500,
  batchCalls: 10,
  /**
   * Guilds in one presence snapshot: Discord's maximum per shard.
   * @see https://docs.discord.com/developers/events/gateway#sharding
   */
  presenceGuilds: 2_500,
  watcherName: 100,
  /** Shards of one watcher: several times the number that one process of a very large bot has. */
  watcherShards: 1_024,
  rejections: 100,
  rejectionReason: 200,
  /** Watchers in one response about an arrival. */
  arrivalWatchers: 100,
  /** Channels of one guild, categories included. Discord allows 500. */
  guildChannels: 1_000,
  /** Threads in one request for channels. */
  threads: 10,
  channelName: 100,
  /** Roles of one guild. Discord allows 250. */
  guildRoles: 500,
  roleName: 100,
  /** Emojis of one guild. Discord allows 250 each of static and animated ones. */
  guildEmojis: 1_000,
  emojiName: 32,
  /** People in one request for names, and in the result of a search. */
  members: 25,
  accessEntries: 50,
  /** Code points of the start of a name in a search: Discord's maximum. */
  memberQuery: 100,
  /** Seconds for which a request may wait until a change is live. */
  waitSeconds: 10,
} as const;
