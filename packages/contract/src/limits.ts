/** Code points of an audit-log reason, after URL decoding. */
const REASON = 512;

/** The limits of requests. Lengths are in Unicode code points, sizes in bytes. */
export const LIMITS = {
  prefix: 20,
  features: 64,
  featureName: 64,
  reason: REASON,
  /** Characters of the header with an audit-log reason: four bytes for each code point, and three for each encoded byte. */
  reasonHeader: REASON * 4 * 3,
  /** Characters of If-Match and of If-None-Match: some fifty entity tags. */
  conditionHeader: 1_024,
  historyEntries: 100,
  /** Entries in one part of a history, unless a request says otherwise. */
  historyEntriesDefault: 50,
  /** Bytes of a body, and of one tRPC call's input, unless the operation takes more. */
  bodyBytes: 16 * 1024,
  /** Bytes of an import: an export with its history, or the rows of many guilds. */
  importBytes: 2 * 1024 * 1024,
  /** Bytes of the history in an export. With white space for readers it is still less than `importBytes`. */
  exportedHistoryBytes: 512 * 1024,
  unknownFields: 64,
  importGuilds: 500,
  batchCalls: 10,
  /**
   * Guilds in one presence snapshot: the most Discord lets one shard hold.
   * @see https://docs.discord.com/developers/events/gateway#sharding
   */
  presenceGuilds: 2_500,
  watcherName: 100,
  /** Shards of one watcher: several times those of one process of a very large bot. */
  watcherShards: 1_024,
  rejections: 100,
  rejectionReason: 200,
  /** Watchers in one response about an arrival. */
  arrivalWatchers: 100,
  /** Channels of one guild, categories included. Discord allows 500. */
  guildChannels: 1_000,
  /** Threads that one question for channels names. */
  threads: 10,
  channelName: 100,
  /** Roles of one guild. Discord allows 250. */
  guildRoles: 500,
  roleName: 100,
  /** Emojis of one guild. Discord allows 250 of each sort, still and animated. */
  guildEmojis: 1_000,
  emojiName: 32,
  /** People in one request for names, and in the result of a search. */
  members: 25,
  accessEntries: 50,
  /** Code points of the beginning of a name that is searched for: as many as Discord takes. */
  memberQuery: 100,
  /** Seconds for which a request may wait until a change is live. */
  waitSeconds: 10,
} as const;
