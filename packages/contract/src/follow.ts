import { z } from 'zod';
import { Arrival, ArrivalCounts } from './arrival.ts';
import { GuildWithCustom } from './guild.ts';
import { GuildInput } from './guild-patch.ts';
import { HistoryEntry } from './history.ts';
import { openEnum } from './open-enum.ts';

const Revision = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const { revision, at, actor, origin, reason, changes } = HistoryEntry.shape;

export const FollowInput = z.strictObject({
  ...GuildInput.shape,
  lastEventId: z
    .string()
    .max(128)
    .meta({ description: 'The id of the last event, as the header Last-Event-ID: the events after it follow.' })
    .optional(),
});

/** The reasons for which the events of a guild end. */
export const FOLLOW_ENDS = ['permission-lost', 'token-expired', 'unavailable', 'shutdown'] as const;

/**
 * An event of one guild.
 *
 * - `declaration`: the first event of each stream, if settings are declared. Its id is the one from which the client
 *   resumes, or that of no event.
 * - `guild`: the record at the start, and when the events after the last one are no longer available.
 * - `changed`: a change, and the record after it.
 * - `presence`: the bot was added to the guild, or removed from it.
 * - `access`: a change of the access list. The record does not change.
 * - `arrival`: the state of the newest change: if it is in use.
 * - `erased`: the guild has the defaults, and no history.
 * - `heartbeat`: sent after five seconds without an event, to keep the connection alive.
 * - `ended`: the last event.
 */
export const FollowEvent = z
  .discriminatedUnion('type', [
    z
      .object({
        type: z.literal('declaration'),
        tag: z
          .string()
          .meta({ maxLength: 64, description: 'The tag of the declaration that `GET /settings` returns.' }),
      })
      .meta({ description: 'The first event of each stream.' }),
    z.object({ type: z.literal('guild'), revision: Revision, guild: GuildWithCustom }),
    z.object({ type: z.literal('changed'), revision, at, actor, origin, reason, changes, guild: GuildWithCustom }),
    z.object({
      type: z.literal('presence'),
      revision,
      at,
      presence: openEnum(['present', 'left'], 'Whether the bot is in the guild.'),
      guild: GuildWithCustom,
    }),
    z.object({ type: z.literal('access'), revision, at, actor, origin, reason, changes }),
    z.object({
      type: z.literal('arrival'),
      revision: Revision,
      state: Arrival.shape.state,
      latencyMs: Arrival.shape.latencyMs,
      ...ArrivalCounts.shape,
    }),
    z.object({ type: z.literal('erased'), revision: Revision }),
    z.object({ type: z.literal('heartbeat'), revision: Revision }),
    z.object({ type: z.literal('ended'), reason: openEnum(FOLLOW_ENDS, 'The reason why the stream ends.') }),
  ])
  .meta({
    description: 'An event of one guild. Later versions may add types: skip an event whose `type` you do not know.',
  });
export type FollowEvent = z.infer<typeof FollowEvent>;
