import type { Evidence } from './evidence.ts';

/** Revisions that an operation of unknown outcome, or a report of the bot, may have created and an erasure deleted. Both ends are exclusive. */
interface Slot {
  readonly after: number;
  readonly before: number;
}

/**
 * Returns the revisions that are not in the log, and that no erasure explains: neither of a known revision of an erased guild,
 * nor of an operation of unknown outcome, nor of a report of the bot, of which each can have created one.
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
    // The slot that ends first: the others may explain later revisions.
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

function slotsOf({ operations, snapshot, erasures }: Evidence): Slot[] {
  const made = new Set(snapshot.log.map(({ reason }) => reason));
  const changes = operations.flatMap(({ kind, guild, mark, start, outcome }): Slot[] => {
    const before = erasures.of(guild).at(-1);
    if (before === undefined || kind === 'read' || kind === 'erase') return [];
    if (outcome.kind !== 'unknown' || made.has(mark ?? null)) return [];
    return [{ after: newestAt(start, operations), before }];
  });
  // The bot reports a guild that is not stored, and nothing of it changes until the guild is erased.
  const reports = erasures
    .guilds()
    .flatMap((guild) => erasures.of(guild).map((before, index, all) => ({ after: all[index - 1] ?? 0, before })));
  return [...changes, ...reports];
}

function newestAt(time: number, operations: Evidence['operations']): number {
  return operations.reduce(
    (newest, { end, outcome }) =>
      outcome.kind === 'ok' && end < time ? Math.max(newest, outcome.seen.revision) : newest,
    0,
  );
}
