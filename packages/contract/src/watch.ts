import { z } from 'zod';
import { Guild } from './guild.ts';
import { GuildId, Shard } from './snowflake.ts';

const Revision = z.int().min(0);

/** Where a watcher is in a history: everything up to a revision of an epoch is known to it. */
export const Cursor = z.strictObject({ epoch: z.string().min(1).max(64), revision: Revision });

/** Where a watcher is in a history. */
export type Cursor = z.infer<typeof Cursor>;

/** A cursor as the id of an event. */
export function formatCursor({ epoch, revision }: Cursor): string {
  return `${epoch}:${revision}`;
}

/** The cursor of an event's id; undefined when it is none. */
export function parseCursor(id: string): Cursor | undefined {
  const { epoch, revision } = /^(?<epoch>[^:]+):(?<revision>\d+)$/.exec(id)?.groups ?? {};
  return Cursor.safeParse({ epoch, revision: Number(revision) }).data;
}

/** What a watcher asks for: from where on, and the guilds of which shard; all of them unless given. */
export const WatchInput = z
  .strictObject({
    cursor: Cursor.optional(),
    shard: Shard.optional(),
    /** The last event's id, as server-sent events resume; a cursor goes before it. */
    lastEventId: z.string().max(128).optional(),
  })
  .default({});

/** A whole record as of a revision. */
export const WatchedGuild = z.object({
  revision: Revision,
  // A newer service may say more of a guild than this version knows; that is no reason to hear nothing.
  guild: z.object(Guild.shape),
});

/** A whole record as of a revision. */
export type WatchedGuild = z.infer<typeof WatchedGuild>;

/**
 * What a watcher is told.
 *
 * - `reset`: the cursor cannot be resumed. Forget everything; all records follow.
 * - `guild`: the whole record as of a revision.
 * - `guilds`: as many `guild` events at once, in their order; its revision is the last one's.
 * - `removed`: a guild was erased.
 * - `live`: the backlog is through; from here on changes come as they are made.
 * - `bookmark`: nothing new for some seconds: a proof of life and a newer cursor.
 */
export const WatchEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('reset'), epoch: z.string() }),
  z.object({ type: z.literal('guild'), ...WatchedGuild.shape }),
  z.object({ type: z.literal('guilds'), revision: Revision, guilds: z.array(WatchedGuild).min(1) }),
  z.object({ type: z.literal('removed'), revision: Revision, guild: GuildId }),
  z.object({ type: z.literal('live'), revision: Revision }),
  z.object({ type: z.literal('bookmark'), revision: Revision }),
]);

/** What a watcher is told. */
export type WatchEvent = z.infer<typeof WatchEvent>;
