import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { Shard } from './snowflake.ts';
import { text } from './text.ts';

/** The name of a watcher. */
export const WatcherName = text({ min: 1, max: LIMITS.watcherName, description: 'What people call the watcher.' });

/** A process that follows guilds: an id that it keeps in its file, and a name for people. */
export const WatcherIdentity = z.object({
  id: z
    .string()
    .regex(/^[0-9A-Za-z_-]{8,64}$/, 'expected 8 to 64 letters, digits, "-" and "_"')
    .meta({ description: 'Random, and the same as long as the file of the watcher is.', minLength: 8, maxLength: 64 }),
  name: WatcherName,
});
export type WatcherIdentity = z.infer<typeof WatcherIdentity>;

/** The shards whose guilds a watcher keeps; `[{ id: 0, count: 1 }]` for all guilds. */
export const WatcherShards = z.array(Shard).min(1).max(LIMITS.watcherShards);

/** A watcher with its shards. Registers it at the start of its watch. */
export const Watcher = z.object({ ...WatcherIdentity.shape, shards: WatcherShards });
export type Watcher = z.infer<typeof Watcher>;
