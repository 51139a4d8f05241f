import { z } from 'zod';
import { Guild } from './guild.ts';
import type { Declaration } from './settings/declaration.ts';
import type { SettingValue } from './settings/setting-declaration.ts';
import { GuildId, WatchedShard } from './snowflake.ts';
import { Watcher } from './watcher.ts';

const Revision = z.int().min(0);

/** The position of a watch: the client has received all changes up to a revision of an epoch. */
export const Cursor = z.strictObject({ epoch: z.string().min(1).max(64), revision: Revision });
export type Cursor = z.infer<typeof Cursor>;

/** Returns a cursor as the id of an event. */
export function formatCursor({ epoch, revision }: Cursor): string {
  return `${epoch}:${revision}`;
}

/** Parses the id of an event to a cursor; undefined when it is none. Later services may have other epochs. */
export function parseCursor(id: string): Cursor | undefined {
  const { epoch, revision } = /^(?<epoch>.+):(?<revision>\d+)$/.exec(id)?.groups ?? {};
  const cursor = { epoch: epoch ?? '', revision: Number(revision) };
  return Number.isSafeInteger(cursor.revision) ? cursor : undefined;
}

/** The values of declared settings that are set, of any kind: later versions have more. */
export const SetCustom = z.record(z.string(), z.custom<SettingValue>());

/** The whole record of a guild at a revision. */
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
  /** The record, with set values alone in `custom`, where settings are declared. */
  guild: Guild;
};

/**
 * An event of a watch.
 *
 * - `declaration`: the declared settings of the service, without texts, at the beginning of each stream where there are any. Its id is
 *   the cursor after which the stream resumes.
 * - `reset`: the cursor cannot be resumed. The client drops all records, and all records follow.
 * - `guild`: the whole record at a revision.
 * - `guilds`: several `guild` events, in their order; its revision is that of the last one.
 * - `removed`: a guild was erased.
 * - `live`: the backlog is complete; from here on changes are sent when they are committed.
 * - `bookmark`: no event for some seconds; a sign of life, and a newer cursor.
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

/** A watcher, and the cursor up to which its file and its memory have every change; absent: it has to receive them first. */
export const RegisteredWatcher = z.object({ ...Watcher.shape, acknowledged: z.object(Cursor.shape).optional() });
export type RegisteredWatcher = z.infer<typeof RegisteredWatcher>;

/** The types of events that this version knows. */
export const WATCH_EVENT_TYPES: readonly string[] = WatchEvent.options.map(({ shape }) => shape.type.value);

/** Types in `accepts`, and characters of one, for the OpenAPI document. A later watcher may send more, which are ignored. */
const MAX_ACCEPTED = 64;

/**
 * The input of a watch: the cursor to resume after, and the shard; all guilds unless given. Unlike in other inputs, unknown
 * fields are ignored: bots and the service may be upgraded in any order.
 */
export const WatchInput = z
  .looseObject({
    cursor: z.looseObject(Cursor.shape).optional(),
    shard: WatchedShard.optional(),
    /** The process that watches: it is registered, and acknowledges what it has. Changes do not wait for other watches. */
    watcher: RegisteredWatcher.optional(),
    /** The id of the last event, with which server-sent events resume. `cursor` has priority. */
    lastEventId: z.string().max(128).optional(),
    accepts: z
      .array(z.string().meta({ maxLength: MAX_ACCEPTED }))
      .meta({
        maxItems: MAX_ACCEPTED,
        description:
          'The types of events that the watcher understands. Others are not sent, and without `guilds` each record is a ' +
          '`guild`. Unless given: `reset`, `guild`, `guilds`, `removed`, `live` and `bookmark`.',
        examples: [WATCH_EVENT_TYPES],
      })
      .optional(),
  })
  .default({});
