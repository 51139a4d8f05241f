import { z } from 'zod';
import { GuildInput } from './guild-patch.ts';
import { Timestamp } from './history.ts';
import { LIMITS } from './limits.ts';
import { openEnum } from './open-enum.ts';
import { GuildId } from './snowflake.ts';
import { text } from './text.ts';
import { Cursor, WatcherIdentity, WatcherName, WatcherShards } from './watch.ts';

const Revision = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** A change that a watcher could not apply: it keeps the previous record. */
export const Rejection = z.object({
  guild: GuildId,
  revision: Revision,
  reason: text({ min: 1, max: LIMITS.rejectionReason }),
});
export type Rejection = z.infer<typeof Rejection>;

/**
 * A watcher's message that its file and memory have every change of its shards up to a cursor, except the rejected
 * ones. Each message lists all of them; a rejection that is no longer listed is resolved. Absent `rejected` means none.
 * If there are too many to list, the cursor is before the first unlisted one. The last message of a run has `leaves`:
 * changes do not wait for the watcher until it registers again. Without a cursor, the watcher has no data.
 * Not strict, because a newer watcher may send fields that this version does not know.
 */
export const Acknowledgement = z.object({
  watcher: WatcherIdentity,
  shards: WatcherShards,
  cursor: z.object(Cursor.shape).optional(),
  rejected: z.array(Rejection).max(LIMITS.rejections).optional(),
  leaves: z.boolean().optional(),
});
export type Acknowledgement = z.infer<typeof Acknowledgement>;

/** The time from a commit to its acknowledgement, in whole milliseconds of the service's clock; null: the commit was not observed. */
const LatencyMs = z.int().min(0).nullable().meta({
  description: 'Whole milliseconds from the commit to the last acknowledgement; null while it is not live, or unknown.',
});

/** The result of an acknowledgement: the time since the newest acknowledged change was committed. */
export const AcknowledgementReceipt = z.strictObject({ latencyMs: LatencyMs });
export type AcknowledgementReceipt = z.infer<typeof AcknowledgementReceipt>;

/**
 * The state of a change.
 *
 * - `live`: every connected watcher of the guild has acknowledged it, and so has each that has just lost its
 *   connection.
 * - `pending`: a connected watcher has not acknowledged it yet.
 * - `rejected`: a watcher could not apply it.
 * - `away`: a watcher that has just lost its connection has not acknowledged it, or no watcher is connected.
 */
export const ARRIVAL_STATES = ['live', 'pending', 'rejected', 'away'] as const;
export type ArrivalState = (typeof ARRIVAL_STATES)[number];

/**
 * The state of one watcher.
 *
 * - `away`: it has lost its connection and has not acknowledged the change, or has been gone for longer than a
 *   reconnect takes.
 * - `left`: it has left on purpose.
 */
const WATCHER_STATES = [...ARRIVAL_STATES, 'left'] as const;
export type WatcherArrivalState = (typeof WATCHER_STATES)[number];

/** The state of one watcher, for one of its shards. */
export const WatcherArrival = z.strictObject({
  name: WatcherName,
  shard: z.strictObject({ id: z.int().min(0), count: z.int().min(1) }),
  revision: Revision.meta({ description: 'The revision up to which it has acknowledged all changes of its guilds.' }),
  state: openEnum(WATCHER_STATES, 'Whether it has this change.'),
  since: Timestamp.meta({ description: 'The time of its acknowledgement, its connection, or its departure.' }),
});
export type WatcherArrival = z.infer<typeof WatcherArrival>;

/** The numbers of processes that a state covers; absent: none is gone without having left. */
export const ArrivalCounts = z.object({
  processes: z
    .int()
    .min(0)
    .meta({ description: 'The connected processes that have the change; absent without `away`.' })
    .exactOptional(),
  away: z
    .int()
    .min(0)
    .meta({ description: 'The processes that disconnected without leaving, less than an hour ago; absent: none.' })
    .exactOptional(),
});

/** The state of a change of a guild, with that of each watcher. */
export const Arrival = z.strictObject({
  revision: Revision.meta({ description: 'The revision of the record.' }),
  state: openEnum(ARRIVAL_STATES, 'Whether the change is in use in every connected process that follows the guild.'),
  latencyMs: LatencyMs,
  ...ArrivalCounts.shape,
  watchers: z
    .array(WatcherArrival)
    .max(LIMITS.arrivalWatchers)
    .meta({ description: 'The watchers of the guild. Those that do not have the change come first.' }),
});
export type Arrival = z.infer<typeof Arrival>;

export const ArrivalInput = z.strictObject({
  ...GuildInput.shape,
  revision: Revision.meta({ description: 'A revision of the guild; its newest one unless given.' }).optional(),
  wait: z
    .int()
    .min(0)
    .max(LIMITS.waitSeconds)
    .meta({ description: 'Seconds to wait until the change is live; none unless given.' })
    .optional(),
});
