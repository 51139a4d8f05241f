import type { History, LogEntry, Operation, Seen, Snapshot } from '../history.ts';
import { markOf } from './log.ts';

/** What a guild has before anybody wrote to it. */
const UNTOUCHED = { prefix: '!', channel: '' };

/** Acknowledged writes that the log does not hold as they were acknowledged. */
export function lostWrites({ operations, snapshot }: History): string[] {
  const log = byRevision(snapshot);
  return operations.flatMap(({ kind, guild, mark, outcome }) => {
    if (kind !== 'write' || outcome.kind !== 'ok') return [];
    const entry = log.get(outcome.seen.revision);
    const isThere = entry?.guild === guild && markOf(entry) === mark;
    return isThere ? [] : [`${mark} of ${guild}, acknowledged at revision ${outcome.seen.revision}`];
  });
}

/** Writes that the service said it had not made, and had. */
export function refusedButMade({ operations, snapshot }: History): string[] {
  const made = new Set(snapshot.log.map(markOf));
  return operations.flatMap(({ mark, outcome, guild }) =>
    mark !== undefined && outcome.kind === 'refused' && made.has(mark) ? [`${mark} of ${guild}: ${outcome.why}`] : [],
  );
}

/** Records of which one field is of one write and the other of another. */
export function torn(history: History): string[] {
  const seen = [...history.operations.flatMap(seenBy), ...toldTo(history), ...rowsOf(history)];
  const records = seen.filter(
    ({ seen: { prefix, channel } }) => prefix !== channel && !isUntouched({ prefix, channel }),
  );
  const changes = history.snapshot.log.filter(
    ({ after }) =>
      after !== null &&
      ('prefix' in after || 'announcement_channel' in after) &&
      after.prefix !== after.announcement_channel,
  );
  return [
    ...records.map(
      ({ guild, seen: { revision, prefix, channel } }) => `${guild} at ${revision}: ${prefix} and ${channel}`,
    ),
    ...changes.map(({ guild, revision }) => `the change ${revision} of ${guild}`),
  ];
}

/** Records that somebody was shown and that the log does not have at that revision. */
export function phantoms(history: History): string[] {
  const marks = marksByRevision(history.snapshot);
  const seen = [...history.operations.filter(({ kind }) => kind === 'read').flatMap(seenBy), ...toldTo(history)];
  return seen.flatMap(({ guild, seen: { revision, prefix } }) => {
    if (revision === 0) return prefix === UNTOUCHED.prefix ? [] : [`${guild} at 0: ${prefix}`];
    const known = marks.get(revision);
    return known?.guild === guild && known.mark === prefix ? [] : [`${guild} at ${revision}: ${prefix}`];
  });
}

/** What each revision made of its guild. */
export function marksByRevision({ log }: Snapshot): Map<number, { readonly guild: string; readonly mark: string }> {
  const current = new Map<string, string>();
  return new Map(
    log.map((entry) => {
      const mark = markOf(entry) ?? current.get(entry.guild) ?? UNTOUCHED.prefix;
      current.set(entry.guild, mark);
      return [entry.revision, { guild: entry.guild, mark }];
    }),
  );
}

interface SeenOf {
  readonly guild: string;
  readonly seen: Seen;
}

function seenBy({ guild, outcome }: Operation): SeenOf[] {
  return outcome.kind === 'ok' ? [{ guild, seen: outcome.seen }] : [];
}

function toldTo({ watched }: History): SeenOf[] {
  return watched.flatMap(({ told }) => [...told]);
}

function rowsOf({ snapshot }: History): SeenOf[] {
  return [...snapshot.guilds].map(([guild, seen]) => ({ guild, seen }));
}

function byRevision({ log }: Snapshot): Map<number, LogEntry> {
  return new Map(log.map((entry) => [entry.revision, entry]));
}

function isUntouched({ prefix, channel }: Omit<Seen, 'revision'>): boolean {
  return prefix === UNTOUCHED.prefix && channel === UNTOUCHED.channel;
}
