import type { History, LogEntry, Operation, Snapshot } from '../history.ts';
import { type Answered, byGuild, type Erasures, type Evidence, type KnownRevision, leastErased } from './evidence.ts';
import { type Effect, type Interval, isLinearizable } from './linearizable.ts';
import { markOf } from './log.ts';

/** The settings of a guild before the first write. */
const DEFAULT_STATE = { prefix: '!', channel: '' };

/**
 * Finds acknowledged changes that are missing in the log at their revision and were not erased, and acknowledged
 * erasures that are missing.
 */
export function lostWrites({ answered, snapshot, erasures }: Evidence): string[] {
  const log = new Map(snapshot.log.map((entry) => [entry.revision, entry]));
  return answered.flatMap((operation) => {
    const {
      kind,
      guild,
      mark,
      seen: { revision },
    } = operation;
    if (kind === 'read') return [];
    if (kind === 'erase') {
      const least = leastErased(operation, answered);
      return least === 0 || erasures.isErased(guild, least) ? [] : [`the erasure of ${guild} at ${least}`];
    }
    // After its erasure and before its next change, a guild is at revision 0, which has no line in the log.
    if (revision === 0 && operation.feature?.isEnabled === false) return [];
    const entry = log.get(revision);
    if (entry === undefined && erasures.isErased(guild, revision)) return [];
    // A switch, an undo or a restore without an effect succeeds at the present revision.
    const isThere = entry?.guild === guild && (kind !== 'write' || entry.reason === mark);
    return isThere ? [] : [`${mark} of ${guild}, acknowledged at revision ${revision}`];
  });
}

export function refusedButMade({ operations, snapshot }: History): string[] {
  const made = new Set(snapshot.log.map(({ reason }) => reason));
  return operations.flatMap(({ mark, outcome, guild }) =>
    mark !== undefined && outcome.kind === 'refused' && made.has(mark) ? [`${mark} of ${guild}: ${outcome.why}`] : [],
  );
}

/** Finds records whose fields come from different writes. */
export function torn({ answered, watched, snapshot }: Evidence): string[] {
  const rows = [...snapshot.guilds].map(([guild, seen]) => ({ guild, seen }));
  const seen = [...answered, ...watched.flatMap(({ received }) => received), ...rows];
  const records = seen.filter(({ seen: { prefix, channel } }) => prefix !== channel && !isDefault({ prefix, channel }));
  const changes = snapshot.log.filter(
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
    history.answered.flatMap(({ kind, guild, seen: { revision, prefix } }) =>
      kind === 'write' ? [[revision, { guild, mark: prefix }]] : [],
    ),
  );
  const shown = history.answered.filter(({ kind }) => kind !== 'write');
  const seen = [...shown, ...history.watched.flatMap(({ received }) => received)];
  return seen.flatMap(({ guild, seen: { revision, prefix } }) => {
    if (revision === 0) return prefix === DEFAULT_STATE.prefix ? [] : [`${guild} at 0: ${prefix}`];
    const isErased = history.erasures.isErased(guild, revision);
    const known = marks.get(revision) ?? (isErased ? written.get(revision) : undefined);
    if (known === undefined && isErased)
      return requested.has(`${guild} ${prefix}`) ? [] : [`${guild} at ${revision}: ${prefix}, which was not requested`];
    return known?.guild === guild && known.mark === prefix ? [] : [`${guild} at ${revision}: ${prefix}`];
  });
}

/** Returns the possible values of a guild: those of its writes that were not refused, and the default. */
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

function isDefault({ prefix, channel }: { readonly prefix: unknown; readonly channel: unknown }): boolean {
  return prefix === DEFAULT_STATE.prefix && channel === DEFAULT_STATE.channel;
}

/**
 * Finds responses that are older than what was known when the request was sent: from an acknowledged write, another
 * response or a watcher's event, of any process. A response of an erased guild, at revision 0, may be as new as its
 * last erasure.
 */
export function staleReads({ answered, erasures }: Evidence): string[] {
  return [...byGuild(answered).values()].flatMap((own) => staleOfGuild(own, erasures));
}

function staleOfGuild(answered: readonly Answered[], erasures: Erasures): string[] {
  const byEnd = answered.toSorted((one, other) => one.end - other.end);
  const byStart = answered.toSorted((one, other) => one.start - other.start);
  const found: string[] = [];
  let known = 0;
  let next = 0;
  for (const { kind, start, guild, process, floor = 0, seen } of byStart) {
    for (let ended = byEnd[next]; ended !== undefined && ended.end < start; ended = byEnd[next]) {
      known = Math.max(known, ended.seen.revision);
      next += 1;
    }
    const least = Math.max(known, floor);
    const revision = erasures.newestShown(guild, seen.revision);
    if (revision < least) found.push(`${kind} of ${guild} at process ${process}: ${revision} after ${least}`);
  }
  return found;
}

const INITIAL = { revision: 0, value: '!' };

export function nonLinearGuilds(evidence: Evidence): string[] {
  const { operations, snapshot, erasures } = evidence;
  const made = new Map(snapshot.log.flatMap((entry) => (entry.reason === null ? [] : [[entry.reason, entry]])));
  const acknowledged = new Set(evidence.answered.map(({ mark }) => mark));
  const touches = byGuild(
    snapshot.log.filter(
      (entry) =>
        entry.after !== null &&
        markOf(entry) === undefined &&
        (entry.reason === null || !acknowledged.has(entry.reason)),
    ),
  );
  const erased = byGuild(erasedChanges(evidence));
  const guilds = byGuild(operations);
  return [...guilds].flatMap(([guild, own]) => {
    const requested = own.flatMap((operation) => intervalOf(operation, made, erasures.isErased(guild, 0)));
    const intervals = [
      ...requested,
      ...(touches.get(guild) ?? []).map(touch),
      ...(erased.get(guild) ?? []).map(erasedChange),
      ...(erasures.isErased(guild, 0) ? [anyTime({ type: 'unseen' })] : []),
    ];
    return isLinearizable(intervals, { initial: INITIAL, erasures: erasures.of(guild) }) ? [] : [guild];
  });
}

function anyTime(effect: Effect): Interval {
  return { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY, effect };
}

/**
 * A presence report of the bot, or a switch whose response was lost: it changes the revision at an unknown time, but
 * not the prefix.
 */
function touch({ revision }: Snapshot['log'][number]): Interval {
  return anyTime({ type: 'touch', revision });
}

/** Returns the revisions that were shown, but whose changes were neither acknowledged nor remain in the log. */
function erasedChanges({ known, answered, snapshot, erasures }: Evidence): KnownRevision[] {
  const explained = new Set([
    ...snapshot.log.map(({ revision }) => revision),
    ...answered.flatMap(({ kind, seen }) => (kind === 'write' ? [seen.revision] : [])),
  ]);
  return [...known.values()].filter(
    ({ guild, revision }) => !explained.has(revision) && erasures.isErased(guild, revision),
  );
}

/** A change of unknown time: by an operation whose response was lost, or by the bot. */
function erasedChange({ revision, prefix: value }: KnownRevision): Interval {
  return anyTime(value === undefined ? { type: 'touch', revision } : { type: 'write', revision, value });
}

/**
 * Returns the interval of an operation; none for a change of unknown outcome that is missing in the log.
 * @param made the changes in the log, by the marks of their operations
 * @param wasErased true: the guild was erased, so that the log lacks changes
 */
function intervalOf(operation: Operation, made: ReadonlyMap<string, LogEntry>, wasErased: boolean): Interval[] {
  const { kind, start, end, mark = '', target, ifMatch, outcome } = operation;
  switch (outcome.kind) {
    case 'ok': {
      const { revision, prefix: value } = outcome.seen;
      if (kind === 'erase') return [{ start, end, effect: { type: 'erase', ifMatch } }];
      const entry = made.get(mark);
      // A switch, an undo or a restore without an effect is a read. The log lacks an erased one.
      const isMade = kind === 'write' || entry?.revision === revision;
      if (isMade || (kind !== 'read' && wasErased))
        return [{ start, end, effect: { type: 'write', revision, value, ifMatch, target, mayBeRead: !isMade } }];
      return [{ start, end, effect: { type: 'read', revision, value } }];
    }
    case 'refused':
      if (outcome.why === 'revision-mismatch' && ifMatch !== undefined)
        return [{ start, end, effect: { type: 'miss', ifMatch } }];
      return outcome.why === 'revision-unknown' && target !== undefined
        ? [{ start, end, effect: { type: 'unknown-target', target } }]
        : [];
    case 'unknown': {
      const infinity = Number.POSITIVE_INFINITY;
      if (kind === 'erase') return [{ start, end: infinity, effect: { type: 'erase', ifMatch } }];
      const entry = made.get(mark);
      const value = entry && markOf(entry);
      if (entry === undefined || value === undefined) return [];
      const { revision } = entry;
      return [{ start, end: infinity, effect: { type: 'write', revision, value, ifMatch } }];
    }
  }
}
