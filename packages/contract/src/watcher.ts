import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { Shard, WatchedShard } from './snowflake.ts';
import { text } from './text.ts';

export const WatcherName = text({ min: 1, max: LIMITS.watcherName, description: 'What people call the watcher.' });

const RandomId = z.string().regex(/^[0-9A-Za-z_-]{8,64}$/, 'expected 8 to 64 letters, digits, "-" and "_"');

/** A process that follows guilds: an id that it keeps in its file, a name for people, and an id of its own that ends with it. */
export const WatcherIdentity = z.object({
  id: RandomId.meta({
    description: 'Random, and the same as long as the file of the watcher is.',
    minLength: 8,
    maxLength: 64,
  }),
  name: WatcherName,
  run: RandomId.meta({
    description: 'Random for each opening of the file: tells a message of an earlier run from one of the present run.',
    minLength: 8,
    maxLength: 64,
  }).exactOptional(),
});
export type WatcherIdentity = z.infer<typeof WatcherIdentity>;

/** Several shards of one count, in the room that a URL has. */
const ShardGroup = z
  .object({
    ids: z.array(WatchedShard.shape.id).min(1).max(LIMITS.watcherShards),
    count: WatchedShard.shape.count,
  })
  .transform(({ ids, count }) => ids.map((id) => ({ id, count })));

/** The shards whose guilds a watcher keeps, one by one or in groups; `[{ id: 0, count: 1 }]` for all guilds. */
export const WatcherShards = z
  .array(z.union([WatchedShard, ShardGroup], 'expected a shard with id and count, or shards with ids and count'))
  .min(1)
  .max(LIMITS.watcherShards)
  .transform((shards) => shards.flat())
  .pipe(z.array(Shard).min(1).max(LIMITS.watcherShards))
  .meta({
    description: 'The shards of the watcher. Many are shorter in groups, such as `{ "ids": [0, 1, 2], "count": 16 }`.',
  });

/** Returns shards as a watch sends them: in groups, for which a URL has room. */
export function sentShards(shards: readonly Shard[]): z.input<typeof WatcherShards> {
  const counts = new Set(shards.map(({ count }) => count));
  return [...counts].map((count) => ({
    count,
    ids: shards.filter((shard) => shard.count === count).map(({ id }) => id),
  }));
}

/** A watcher with its shards. Registers it at the start of its watch. */
export const Watcher = z.object({ ...WatcherIdentity.shape, shards: WatcherShards });
export type Watcher = z.infer<typeof Watcher>;
