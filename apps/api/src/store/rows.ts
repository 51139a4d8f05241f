import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { EPOCH_MARK_LENGTH, type GuildId, isOfShard, type Shard } from '@guild-settings/contract';
import type { ErasureCipher } from './erasure/erasure-rows.ts';
import type {
  Change,
  FeedEntry,
  FeedLine,
  FeedPage,
  GuildEpochs,
  GuildState,
  LoggedChange,
  StoredGuild,
} from './guild-store.ts';
import type { changes, guilds } from './sqlite/schema.ts';

export type GuildRow = typeof guilds.$inferSelect;

export type ChangeRow = typeof changes.$inferSelect;

/** Replaces the epochs of a guild whose entity tag is not needed. */
export const NO_EPOCHS: GuildEpochs = { record: '', access: '' };

export function guildOf(row: GuildRow, epochs: GuildEpochs): StoredGuild {
  return {
    id: row.id,
    name: row.name,
    icon: row.icon,
    settings: row.settings,
    access: row.access,
    presence: row.presence,
    leftAt: row.leftAt,
    logged: { day: row.loggedDay, bytes: row.loggedBytes },
    revision: row.revision,
    accessRevision: row.accessRevision ?? 0,
    updatedAt: row.updatedAt,
    epochs,
  };
}

type GuildPosition = Pick<GuildRow, 'revision' | 'accessRevision' | 'updatedAt'>;

export function rowOfGuild(id: GuildId, state: GuildState, position: GuildPosition): GuildRow {
  return {
    id,
    name: state.name,
    icon: state.icon,
    settings: state.settings,
    revision: position.revision,
    access: state.access,
    accessRevision: position.accessRevision,
    presence: state.presence,
    leftAt: state.leftAt,
    updatedAt: position.updatedAt,
    loggedDay: state.logged.day,
    loggedBytes: state.logged.bytes,
  };
}

export function rowOfChange(guildId: GuildId, change: Change, revision: number): ChangeRow {
  return {
    revision,
    guildId,
    at: change.at,
    actorKind: change.actor.kind,
    actorId: change.actor.id,
    origin: change.origin,
    reason: change.reason,
    before: change.before,
    after: change.after,
    unset: change.unset ?? null,
    target: change.target ?? null,
    undoneBy: null,
  };
}

export function changeOf(row: ChangeRow): LoggedChange {
  // Assigns each field: copying the rest of a row costs more than reading it from SQLite.
  return {
    revision: row.revision,
    at: row.at,
    actor: { kind: row.actorKind, id: row.actorId },
    origin: row.origin,
    reason: row.reason,
    before: row.before,
    after: row.after,
    unset: row.unset,
    target: row.target,
    undoneBy: row.undoneBy,
  };
}

export function undosIn(rows: readonly ChangeRow[]): readonly { readonly target: number; readonly revision: number }[] {
  return rows.flatMap(({ origin, target, revision }) =>
    origin === 'undo' && target !== null ? [{ target, revision }] : [],
  );
}

export interface FeedRange {
  readonly after: number;
  readonly limit: number;
  readonly cipher: ErasureCipher;
}

/**
 * Row of a feed entry without a record: the encrypted id of an erased guild, or the id of a guild whose access list was
 * changed.
 */
export interface FeedLineRow {
  readonly revision: number;
  readonly erased: string | null;
  readonly access: string | null;
}

export function feedLineOf({ revision, erased, access }: FeedLineRow, cipher: ErasureCipher): FeedLine {
  return erased === null ? { revision, access: access ?? '' } : { revision, erased: cipher.open(erased) };
}

interface FeedRows {
  /** The guilds in the order of their newest revisions, limited by `limit` and {@link PAGE_BYTES}. */
  readonly guilds: readonly GuildRow[];
  /** True: there are no further guilds. */
  readonly isWhole: boolean;
  /** The erasures and changes of access lists up to {@link reachOf}, the oldest first, at most `limit`. */
  readonly lines: readonly FeedLine[];
  readonly newest: number;
  readonly limit: number;
}

/** Returns the revision up to which a page of guilds is complete. Other entries are read up to there. */
export function reachOf({ guilds, isWhole, newest }: Pick<FeedRows, 'guilds' | 'isWhole' | 'newest'>): number {
  return isWhole ? newest : (guilds.at(-1)?.revision ?? newest);
}

/**
 * Bytes of the settings of a page's guilds; the last guild may exceed them. A page is read and sent in one turn of the
 * event loop.
 */
export const PAGE_BYTES = 256 * 1_024;

/** Merges guilds and other entries in the order of revisions, up to the revision to which both are complete. */
export function feedPageOf({ guilds, isWhole, lines, newest, limit }: FeedRows): Omit<FeedPage, 'epoch'> {
  const reach = reachOf({ guilds, isWhole, newest });
  const upTo = lines.length < limit ? reach : Math.min(reach, lines.at(-1)?.revision ?? reach);
  const entries: FeedEntry[] = [
    ...guilds.map((row) => ({ revision: row.revision, guild: guildOf(row, NO_EPOCHS) })),
    ...lines,
  ];
  return {
    entries: entries.filter((entry) => entry.revision <= upTo).sort((one, other) => one.revision - other.revision),
    upTo,
    isLast: upTo === newest,
  };
}

/** The mark of revisions whose epoch is no longer kept. */
const OLDER = '0'.repeat(EPOCH_MARK_LENGTH);

/** By epoch id; a store keeps a thousand epochs. */
const MARKS = new Map<string, string>();

/** Returns the mark of an epoch in entity tags; undefined stands for an epoch that is no longer kept. */
export function epochMark(epoch: string | null | undefined): string {
  if (epoch == null) return OLDER;
  const known = MARKS.get(epoch);
  if (known !== undefined) return known;
  const number = createHash('sha256').update(epoch).digest().readBigUInt64BE();
  const mark = number.toString(36).padStart(EPOCH_MARK_LENGTH, '0').slice(-EPOCH_MARK_LENGTH);
  MARKS.set(epoch, mark);
  return mark;
}

const PAGE_GUILDS = 1_000;

/**
 * Returns the ids of a shard's guilds in order. Requests are handled between two pages.
 * @param page returns the ids after a given one
 */
export async function guildsOfShard(
  shard: Shard,
  page: (after: GuildId, limit: number) => Promise<readonly GuildId[]>,
): Promise<GuildId[]> {
  const found: GuildId[] = [];
  for (let after = '', isLast = false; !isLast; ) {
    const ids = await page(after, PAGE_GUILDS);
    for (const id of ids) if (isOfShard(id, shard)) found.push(id);
    after = ids.at(-1) ?? after;
    isLast = ids.length < PAGE_GUILDS;
    await setImmediate();
  }
  return found;
}

/** Returns a value as JSON with sorted keys, for comparison: jsonb does not keep the order of keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
