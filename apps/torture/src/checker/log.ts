import type { History, LogEntry, Operation, Snapshot } from '../history.ts';
import { byGuild, type Erasures, type Evidence, newestAt } from './evidence.ts';

/**
 * Returns the value that a change set: the mark of a write, or the restored value; undefined when it changed other
 * fields.
 */
export function markOf({ after }: LogEntry): string | undefined {
  return typeof after?.prefix === 'string' ? after.prefix : undefined;
}

/**
 * Finds revisions that are missing or out of order, changes that do not follow from the previous one, and rows that
 * differ from their newest change.
 */
export function brokenLog(
  { log, lastRevision, oldestRevision, guilds }: Snapshot,
  mayBeGone: History['mayBeGone'],
): string[] {
  const found: string[] = [];
  /** The newest change of each guild; revision 0: it was erased. */
  const newest = new Map<string, { revision: number; mark: string | undefined }>();
  let next = oldestRevision;
  for (const entry of log) {
    const { guild, revision, before } = entry;
    while (next < revision && mayBeGone(next)) next += 1;
    if (revision >= oldestRevision && revision !== next) {
      found.push(`revision ${revision} found where ${next} was expected`);
      break;
    }
    if (revision < oldestRevision && !mayBeGone(revision))
      found.push(`revision ${revision} is older than the log, and was not due`);
    next = Math.max(next, revision + 1);
    if (entry.after === null) {
      newest.set(guild, { revision: 0, mark: '!' });
      continue;
    }
    const last = newest.get(guild)?.mark;
    const mark = markOf(entry);
    if (mark !== undefined && last !== undefined && before.prefix !== last) {
      found.push(`revision ${revision} of ${guild} follows ${JSON.stringify(before.prefix)}, where ${last} was`);
    }
    newest.set(guild, { revision, mark: mark ?? last });
  }
  while (next <= lastRevision && mayBeGone(next)) next += 1;
  if (lastRevision !== next - 1) found.push(`the newest revision is ${lastRevision}, the log ends at ${next - 1}`);
  for (const [guild, { revision, mark }] of newest) {
    const row = guilds.get(guild);
    if (revision === 0 && row === undefined) continue;
    if (row?.revision !== revision) found.push(`${guild} is at ${row?.revision}, its log at ${revision}`);
    else if (mark !== undefined && row.prefix !== mark) found.push(`${guild} holds ${row.prefix}, its log ${mark}`);
  }
  return found;
}

export function repeatedChanges({ log }: Snapshot): string[] {
  const first = new Map<string, number>();
  return log.flatMap(({ reason, revision }) => {
    if (reason === null) return [];
    const earlier = first.get(reason);
    if (earlier !== undefined) return [`${reason} took effect at ${earlier} and again at ${revision}`];
    first.set(reason, revision);
    return [];
  });
}

/**
 * Revisions that an operation of unknown outcome, or a report of the bot, may have created and an erasure deleted. Both
 * bounds are exclusive.
 */
interface Slot {
  readonly after: number;
  readonly before: number;
}

/**
 * Returns the revisions that are missing in the log without an explanation by an erasure: not a known revision of an
 * erased guild, and not possibly created by an operation of unknown outcome or a report of the bot, each of which can
 * have created one.
 */
export function unexplainedGaps(evidence: Evidence): number[] {
  const { snapshot, erasures, known, mayBeGone } = evidence;
  const logged = new Set(snapshot.log.map(({ revision }) => revision));
  const slots = slotsOf(evidence);
  const unexplained: number[] = [];
  for (let revision = snapshot.oldestRevision; revision <= snapshot.lastRevision; revision += 1) {
    if (logged.has(revision) || mayBeGone(revision)) continue;
    const guild = known.get(revision)?.guild;
    if (guild !== undefined) {
      if (!erasures.isErased(guild, revision)) unexplained.push(revision);
      continue;
    }
    // The slot that ends first, because the others may explain later revisions.
    const fitting = slots.filter(({ after, before }) => after < revision && revision < before);
    const slot = fitting.reduce<Slot | undefined>(
      (least, one) => (least && least.before <= one.before ? least : one),
      undefined,
    );
    if (slot === undefined) unexplained.push(revision);
    else slots.splice(slots.indexOf(slot), 1);
  }
  return unexplained;
}

function slotsOf({ operations, answered, snapshot, erasures }: Evidence): Slot[] {
  const made = new Set(snapshot.log.map(({ reason }) => reason));
  const changes = operations.flatMap(({ kind, guild, mark, start, outcome }): Slot[] => {
    const before = erasures.of(guild).at(-1);
    if (before === undefined || kind === 'read' || kind === 'erase') return [];
    if (outcome.kind !== 'unknown' || made.has(mark ?? null)) return [];
    return [{ after: newestAt(start, answered), before }];
  });
  // The bot reports a guild without stored data, and nothing else of it changes until the guild is erased.
  const reports = erasures
    .guilds()
    .flatMap((guild) => erasures.of(guild).map((before, index, all) => ({ after: all[index - 1] ?? 0, before })));
  return [...changes, ...reports];
}

const DEFAULT_PREFIX = '!';

/** Finds undos in the log that replaced a value other than the one set by the undone change. */
export function overwritingUndos({ log }: Snapshot): string[] {
  return [...byGuild(log.filter((entry) => markOf(entry) !== undefined)).values()].flatMap((changes) =>
    changes.flatMap((undo, index) => {
      if (undo.origin !== 'undo') return [];
      const before = changes.slice(0, index);
      const source = sourceOf(before, undo.target ?? 0);
      return source === undo.target
        ? []
        : [`revision ${undo.revision} of ${undo.guild} undid ${undo.target} over the value of ${source}`];
    }),
  );
}

/**
 * Returns the change that set the value after some changes: an undo of a change after `target` reassigns the value to
 * the change that had set it before.
 */
function sourceOf(changes: readonly LogEntry[], target: number): number | undefined {
  const newest = changes.at(-1);
  if (newest === undefined || newest.revision <= target || newest.origin !== 'undo') return newest?.revision;
  const undone = newest.target ?? 0;
  if (undone < target) return newest.revision;
  return sourceOf(
    changes.slice(
      0,
      changes.findIndex(({ revision }) => revision === undone),
    ),
    target,
  );
}

/**
 * Finds undos, restores and reads of the past whose record differs from the one at that revision, unless that was
 * erased since, so that the log no longer contains it.
 */
export function wrongPast({ answered, pastReads, snapshot, erasures }: Evidence): string[] {
  const guilds = byGuild(snapshot.log);
  const prefixAt = (guild: string, at: number) => {
    const changes = guilds.get(guild) ?? [];
    const newest = changes.findLast(
      (entry) => entry.revision <= at && (entry.after === null || markOf(entry) !== undefined),
    );
    return newest === undefined || newest.after === null ? DEFAULT_PREFIX : markOf(newest);
  };
  const setting = new Set(snapshot.log.flatMap((entry) => (markOf(entry) === undefined ? [] : [entry.revision])));
  const logged = snapshot.log.flatMap(({ guild, origin, revision, target }) => {
    if ((origin !== 'undo' && origin !== 'restore') || target === null || erasures.isErased(guild, target)) return [];
    if (origin === 'undo' && !setting.has(target)) return [];
    const expected = prefixAt(guild, origin === 'undo' ? target - 1 : target);
    return prefixAt(guild, revision) === expected
      ? []
      : [`${origin} ${revision} of ${guild} to ${target}: not ${expected}`];
  });
  const made = answered.flatMap(({ kind, guild, target, seen: { prefix, revision } }) => {
    if ((kind !== 'undo' && kind !== 'restore') || target === undefined) return [];
    if (erasures.isErased(guild, target)) return [];
    if (kind === 'undo' && !setting.has(target)) return [];
    const expected = prefixAt(guild, kind === 'undo' ? target - 1 : target);
    return prefix === expected ? [] : [`${kind} of ${target} of ${guild}: ${prefix} at ${revision}, not ${expected}`];
  });
  const read = pastReads.flatMap(({ guild, at, process, seen }) => {
    if (erasures.isErased(guild, at)) return [];
    const expected = prefixAt(guild, at);
    return seen?.prefix === expected
      ? []
      : [`${guild} as it was at ${at}, at process ${process}: ${seen?.prefix}, not ${expected}`];
  });
  return [...logged, ...made, ...read];
}

/**
 * Finds switches that changed features other than their own, acknowledged ones whose feature was otherwise at their
 * revision, features that changed without a line in the log, and undos and restores that restored features other than
 * those of their target.
 */
export function wrongSwitches({ operations, snapshot, erasures }: Evidence): string[] {
  const switches = operations.filter(({ kind }) => kind === 'switch');
  const byMark = new Map(switches.map((operation) => [operation.mark, operation]));
  const requested = byGuild(switches);
  return [...byGuild(snapshot.log)].flatMap(([guild, log]) => {
    const states = statesOf(log);
    return [
      ...log.flatMap((entry, index) =>
        wrongLine(entry, states, { index, made: byMark.get(entry.reason ?? undefined), erasures }),
      ),
      ...(requested.get(guild) ?? []).flatMap((operation) => {
        const { feature, mark, outcome } = operation;
        if (feature === undefined || outcome.kind !== 'ok' || erasures.isErased(guild, outcome.seen.revision))
          return [];
        const features = stateAt(states, outcome.seen.revision);
        return features.includes(feature.name) === feature.isEnabled
          ? []
          : [`${mark} of ${guild}, acknowledged at ${outcome.seen.revision}, where ${feature.name} is otherwise`];
      }),
    ];
  });
}

interface FeatureState {
  readonly revision: number;
  readonly features: readonly string[];
}

function statesOf(log: readonly LogEntry[]): FeatureState[] {
  let features: readonly string[] = [];
  return log.map(({ revision, after }) => {
    features = after === null ? [] : (featuresIn(after) ?? features);
    return { revision, features };
  });
}

function stateAt(states: readonly FeatureState[], revision: number): readonly string[] {
  return states.findLast((state) => state.revision <= revision)?.features ?? [];
}

interface Line {
  readonly index: number;
  /** The switch that made the line; undefined: another operation made it. */
  readonly made: Operation | undefined;
  readonly erasures: Erasures;
}

function wrongLine(entry: LogEntry, states: readonly FeatureState[], { index, made, erasures }: Line): string[] {
  const { guild, revision, origin, target } = entry;
  const [before, after] = [featuresIn(entry.before), featuresIn(entry.after ?? {})];
  if (before === undefined || after === undefined) return [];
  const what = `revision ${revision} of ${guild}`;
  const found: string[] = [];
  const last = states[index - 1]?.features ?? [];
  if (String(before) !== String(last)) found.push(`${what} follows the features ${before}, where ${last} were`);
  if (made?.feature !== undefined) {
    const { name, isEnabled } = made.feature;
    const others = before.filter((one) => one !== name);
    const expected = isEnabled ? [...others, name] : others;
    if (String(after) !== String(expected)) found.push(`${what} switched ${name} from ${before} to ${after}`);
  }
  if ((origin === 'undo' || origin === 'restore') && target !== null && !erasures.isErased(guild, target)) {
    const expected = stateAt(states, origin === 'undo' ? target - 1 : target);
    if (String(after) !== String(expected))
      found.push(`${what}, the ${origin} of ${target}: ${after}, not ${expected}`);
  }
  return found;
}

function featuresIn(fields: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  return Array.isArray(fields.enabledFeatures) ? fields.enabledFeatures : undefined;
}
