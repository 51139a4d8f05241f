import type { History, LogEntry, Operation, Snapshot } from '../history.ts';
import { byGuild } from './by-guild.ts';
import { type Interval, isLinearizable } from './linearizable.ts';
import { markOf } from './log.ts';

/** Returns the guilds whose operations have no linearizable order. */
export function nonLinearGuilds({ operations, snapshot }: History): string[] {
  const made = new Map(snapshot.log.flatMap((entry) => (entry.reason === null ? [] : [[entry.reason, entry]])));
  const touches = byGuild(snapshot.log.filter((entry) => markOf(entry) === undefined));
  const guilds = byGuild(operations);
  return [...guilds].flatMap(([guild, own]) => {
    const requested = own.flatMap((operation) => intervalOf(operation, made));
    const intervals = [...requested, ...(touches.get(guild) ?? []).map(touch)];
    return isLinearizable(intervals, { revision: 0, value: '!' }) ? [] : [guild];
  });
}

/** A presence report of the bot: it changes the revision at an unknown time, and not the settings. */
function touch({ revision }: Snapshot['log'][number]): Interval {
  return { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY, effect: { type: 'touch', revision } };
}

/**
 * Returns the interval of an operation; none for a change of unknown outcome that is not in the log.
 * @param made the changes in the log, by the marks of their operations
 */
function intervalOf(operation: Operation, made: ReadonlyMap<string, LogEntry>): Interval[] {
  const { kind, start, end, mark = '', ifMatch, outcome } = operation;
  switch (outcome.kind) {
    case 'ok': {
      const { revision, prefix: value } = outcome.seen;
      // An undo or a restore that had nothing to do is a read.
      const effect =
        kind === 'write' || made.get(mark)?.revision === revision
          ? ({ type: 'write', revision, value, ifMatch } as const)
          : ({ type: 'read', revision, value } as const);
      return [{ start, end, effect }];
    }
    case 'refused':
      return outcome.why === 'revision-mismatch' && ifMatch !== undefined
        ? [{ start, end, effect: { type: 'miss', ifMatch } }]
        : [];
    case 'unknown': {
      const entry = made.get(mark);
      const value = entry && markOf(entry);
      if (entry === undefined || value === undefined) return [];
      const { revision } = entry;
      return [{ start, end: Number.POSITIVE_INFINITY, effect: { type: 'write', revision, value, ifMatch } }];
    }
  }
}
