import { z } from 'zod';
import { Guild } from './guild.ts';
import { LIMITS } from './limits.ts';
import type { Declaration } from './settings/declaration.ts';
import type { SettingValue } from './settings/setting-declaration.ts';
import { GuildId, Shard, WatchedShard } from './snowflake.ts';
import { text } from './text.ts';

export const WatcherName = text({ min: 1, max: LIMITS.watcherName, description: 'The display name of the watcher.' });

const RandomId = z.string().regex(/^[0-9A-Za-z_-]{8,64}$/, 'expected 8 to 64 letters, digits, "-" and "_"');

/** A process that follows guilds: the id in its file, a name for people, and the id of the process run. */
export const WatcherIdentity = z.object({
  id: RandomId.meta({
    description: "Random, and constant for the lifetime of the watcher's file.",
    minLength: 8,
    maxLength: 64,
  }),
  name: WatcherName,
  run: RandomId.meta({
    description:
      'Random for each opening of the file: distinguishes messages of earlier runs from those of the present run.',
    minLength: 8,
    maxLength: 64,
  }).exactOptional(),
});
export type WatcherIdentity = z.infer<typeof WatcherIdentity>;

/** Several shards of the same count, short enough for a URL. */
const ShardGroup = z
  .object({
    ids: z.array(WatchedShard.shape.id).min(1).max(LIMITS.watcherShards),
    count: WatchedShard.shape.count,
  })
  .transform(({ ids, count }) => ids.map((id) => ({ id, count })));

/** The shards whose guilds a watcher keeps, individually or in groups; `[{ id: 0, count: 1 }]` for all guilds. */
export const WatcherShards = z
  .array(z.union([WatchedShard, ShardGroup], 'expected a shard with id and count, or shards with ids and count'))
  .min(1)
  .max(LIMITS.watcherShards)
  .transform((shards) => shards.flat())
  .pipe(z.array(Shard).min(1).max(LIMITS.watcherShards))
  .meta({
    description:
      'The shards of the watcher. Several are shorter as a group, such as `{ "ids": [0, 1, 2], "count": 16 }`.',
  });

/** Returns shards as sent by a watch: in groups, which fit into a URL. */
export function sentShards(shards: readonly Shard[]): z.input<typeof WatcherShards> {
  const counts = new Set(shards.map(({ count }) => count));
  return [...counts].map((count) => ({
    count,
    ids: shards.filter((shard) => shard.count === count).map(({ id }) => id),
  }));
}

/** A watcher with its shards, to register it at the start of its watch. */
export const Watcher = z.object({ ...WatcherIdentity.shape, shards: WatcherShards });
export type Watcher = z.infer<typeof Watcher>;

const Revision = z.int().min(0);

/** The position of a watch: the client has received all changes up to a revision of an epoch. */
export const Cursor = z.strictObject({ epoch: z.string().min(1).max(64), revision: Revision });
export type Cursor = z.infer<typeof Cursor>;

/** Returns a cursor as the id of an event. */
export function formatCursor({ epoch, revision }: Cursor): string {
  return `${epoch}:${revision}`;
}

/** Parses the id of an event to a cursor; undefined if it is not one. Later services may have other epochs. */
export function parseCursor(id: string): Cursor | undefined {
  const { epoch, revision } = /^(?<epoch>.+):(?<revision>\d+)$/.exec(id)?.groups ?? {};
  const cursor = { epoch: epoch ?? '', revision: Number(revision) };
  return Number.isSafeInteger(cursor.revision) ? cursor : undefined;
}

/** The set values of declared settings, of any kind: later versions have more kinds. */
export const SetCustom = z.record(z.string(), z.custom<SettingValue>());

/** The complete record of a guild at a revision. */
export const WatchedGuild = z.object({
  revision: Revision,
  // Not strict, because a newer service may send fields that this version does not know.
  guild: z.object({ ...Guild.shape, custom: SetCustom.exactOptional() }),
  unset: z
    .array(z.string())
    .exactOptional()
    .meta({ description: 'Where settings are declared: the specified fields that follow a default.' }),
});
export type WatchedGuild = Omit<z.infer<typeof WatchedGuild>, 'guild'> & {
  /** The record; if settings are declared, with only the set values in `custom`. */
  guild: Guild;
};

/**
 * An event of a watch.
 *
 * - `declaration`: the declared settings of the service, without texts, at the start of each stream if there are any.
 *   Its id is the cursor from which the stream resumes.
 * - `reset`: the cursor cannot be resumed. The client drops all records, and all records follow.
 * - `guild`: the complete record at a revision.
 * - `guilds`: several `guild` events, in order; its revision is that of the last one.
 * - `removed`: a guild was erased.
 * - `live`: the backlog is complete; from here on changes are sent when they are committed.
 * - `bookmark`: sent after some seconds without an event: a heartbeat with a newer cursor.
 */
export const WatchEvent = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('declaration'),
      tag: z.string().meta({ maxLength: 64 }),
      declaration: z.custom<Declaration>(),
    }),
    z.object({ type: z.literal('reset'), epoch: z.string().meta({ maxLength: 64 }) }),
    z.object({ type: z.literal('guild'), ...WatchedGuild.shape }),
    z.object({ type: z.literal('guilds'), revision: Revision, guilds: z.array(WatchedGuild).min(1) }),
    z.object({ type: z.literal('removed'), revision: Revision, guild: GuildId }),
    z.object({ type: z.literal('live'), revision: Revision }),
    z.object({ type: z.literal('bookmark'), revision: Revision }),
  ])
  .meta({
    description:
      'An event of a watch. Later versions may add types, which are sent only to watchers whose `accepts` has them: skip an event whose `type` you do not know.',
  });
export type WatchEvent = z.infer<typeof WatchEvent>;

/** A watcher, and the cursor up to which its file and memory have every change; absent: it has no data yet. */
export const RegisteredWatcher = z.object({ ...Watcher.shape, acknowledged: z.object(Cursor.shape).optional() });
export type RegisteredWatcher = z.infer<typeof RegisteredWatcher>;

/** The event types that this version knows. */
export const WATCH_EVENT_TYPES: readonly string[] = WatchEvent.options.map(({ shape }) => shape.type.value);

/**
 * Maximum types in `accepts`, and characters per type, for the OpenAPI document. A later watcher may send more, which
 * are ignored.
 */
const MAX_ACCEPTED = 64;

/**
 * The input of a watch: the cursor to resume from, and the shard; all guilds unless given. Unlike in other inputs,
 * unknown fields are ignored: bots and the service may be upgraded in any order.
 */
export const WatchInput = z
  .looseObject({
    cursor: z.looseObject(Cursor.shape).optional(),
    shard: WatchedShard.optional(),
    /** The watching process: it is registered, and acknowledges changes. Changes do not wait for other watches. */
    watcher: RegisteredWatcher.optional(),
    /** The id of the last event, with which server-sent events resume. `cursor` takes precedence. */
    lastEventId: z.string().max(128).optional(),
    accepts: z
      .array(z.string().meta({ maxLength: MAX_ACCEPTED }))
      .meta({
        maxItems: MAX_ACCEPTED,
        description:
          'The types of events that the watcher supports. Others are not sent, and without `guilds` each record is a ' +
          '`guild`. Unless given: `reset`, `guild`, `guilds`, `removed`, `live` and `bookmark`.',
        examples: [WATCH_EVENT_TYPES],
      })
      .optional(),
  })
  .default({});
