import type { History, LogEntry, Operation, Seen, Snapshot } from '../history.ts';
import { type Evidence, leastErased } from './evidence.ts';
import { markOf } from './log.ts';

/** The settings of a guild before the first write. */
const DEFAULT_STATE = { prefix: '!', channel: '' };

/** Finds acknowledged changes that are not in the log at their revision and were not erased, and acknowledged erasures that are not in it. */
export function lostWrites({ operations, snapshot, erasures }: Evidence): string[] {
  const log = byRevision(snapshot);
  return operations.flatMap((operation) => {
    const { kind, guild, mark, outcome } = operation;
    if (kind === 'read' || outcome.kind !== 'ok') return [];
    if (kind === 'erase') {
      const least = leastErased(operation, operations);
      return least === 0 || erasures.isErased(guild, least) ? [] : [`the erasure of ${guild} at ${least}`];
    }
    // After its erasure and before its next change, a guild is at revision 0, which has no line in the log.
    if (outcome.seen.revision === 0 && operation.feature?.isEnabled === false) return [];
    if (!log.has(outcome.seen.revision) && erasures.isErased(guild, outcome.seen.revision)) return [];
    const entry = log.get(outcome.seen.revision);
    // A switch, an undo or a restore that has nothing to do succeeds at the revision that is there.
    const isThere = entry?.guild === guild && (kind !== 'write' || entry.reason === mark);
    return isThere ? [] : [`${mark} of ${guild}, acknowledged at revision ${outcome.seen.revision}`];
  });
}

export function refusedButMade({ operations, snapshot }: History): string[] {
  const made = new Set(snapshot.log.map(({ reason }) => reason));
  return operations.flatMap(({ mark, outcome, guild }) =>
    mark !== undefined && outcome.kind === 'refused' && made.has(mark) ? [`${mark} of ${guild}: ${outcome.why}`] : [],
  );
}

/** Finds records whose fields were written by different writes. */
export function torn(history: History): string[] {
  const seen = [...history.operations.flatMap(seenBy), ...receivedBy(history), ...rowsOf(history)];
  const records = seen.filter(({ seen: { prefix, channel } }) => prefix !== channel && !isDefault({ prefix, channel }));
  const changes = history.snapshot.log.filter(
    ({ after }) =>
      after !== null &&
      ('prefix' in after || 'announcement_channel' in after) &&
      after.prefix !== after.announcement_channel &&
      !isDefault({ prefix: after.prefix, channel: after.announcement_channel }),
  );
  return [
    ...records.map(
      ({ guild, seen: { revision, prefix, channel } }) => `${guild} at ${revision}: ${prefix} and ${channel}`,
    ),
    ...changes.map(({ guild, revision }) => `the change ${revision} of ${guild}`),
  ];
}

/** Finds records in responses or events that were never committed. */
export function phantoms(history: Evidence): string[] {
  const marks = marksByRevision(history.snapshot);
  const requested = requestedPrefixes(history);
  const written = new Map(
    history.operations.flatMap(({ kind, guild, outcome }) =>
      kind === 'write' && outcome.kind === 'ok' ? [[outcome.seen.revision, { guild, mark: outcome.seen.prefix }]] : [],
    ),
  );
  const seen = [...history.operations.filter(({ kind }) => kind !== 'write').flatMap(seenBy), ...receivedBy(history)];
  return seen.flatMap(({ guild, seen: { revision, prefix } }) => {
    if (revision === 0) return prefix === DEFAULT_STATE.prefix ? [] : [`${guild} at 0: ${prefix}`];
    const isErased = history.erasures.isErased(guild, revision);
    const known = marks.get(revision) ?? (isErased ? written.get(revision) : undefined);
    if (known === undefined && isErased)
      return requested.has(`${guild} ${prefix}`) ? [] : [`${guild} at ${revision}: ${prefix}, which was not requested`];
    return known?.guild === guild && known.mark === prefix ? [] : [`${guild} at ${revision}: ${prefix}`];
  });
}

/** Returns the values that a guild may have had: those of its writes that were not refused, and the default. */
function requestedPrefixes({ operations }: History): Set<string> {
  return new Set(
    operations.flatMap(({ guild, mark, outcome }) => [
      `${guild} ${DEFAULT_STATE.prefix}`,
      ...(mark !== undefined && outcome.kind !== 'refused' ? [`${guild} ${mark}`] : []),
    ]),
  );
}

function marksByRevision({ log }: Snapshot): Map<number, { readonly guild: string; readonly mark: string }> {
  const current = new Map<string, string>();
  return new Map(
    log.map((entry) => {
      const mark = markOf(entry) ?? (entry.after && current.get(entry.guild)) ?? DEFAULT_STATE.prefix;
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

function receivedBy({ watched }: History): SeenOf[] {
  return watched.flatMap(({ received }) => [...received]);
}

function rowsOf({ snapshot }: History): SeenOf[] {
  return [...snapshot.guilds].map(([guild, seen]) => ({ guild, seen }));
}

function byRevision({ log }: Snapshot): Map<number, LogEntry> {
  return new Map(log.map((entry) => [entry.revision, entry]));
}

function isDefault({ prefix, channel }: { readonly prefix: unknown; readonly channel: unknown }): boolean {
  return prefix === DEFAULT_STATE.prefix && channel === DEFAULT_STATE.channel;
}
