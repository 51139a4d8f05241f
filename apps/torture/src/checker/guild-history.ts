import type { History, Operation, Snapshot } from '../history.ts';
import { byGuild } from './by-guild.ts';
import { type Interval, isLinearizable } from './linearizable.ts';
import { markOf } from './log.ts';

/** Returns the guilds whose operations have no linearizable order. */
export function nonLinearGuilds({ operations, snapshot }: History): string[] {
  const revisions = new Map(snapshot.log.map((entry) => [markOf(entry), entry.revision]));
  const touches = byGuild(snapshot.log.filter((entry) => markOf(entry) === undefined));
  const guilds = byGuild(operations);
  return [...guilds].flatMap(([guild, own]) => {
    const requested = own.flatMap((operation) => intervalOf(operation, revisions));
    const intervals = [...requested, ...(touches.get(guild) ?? []).map(touch)];
    return isLinearizable(intervals, { revision: 0, value: '!' }) ? [] : [guild];
  });
}

/** A presence report of the bot: it changes the revision at an unknown time, and not the settings. */
function touch({ revision }: Snapshot['log'][number]): Interval {
  return { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY, effect: { type: 'touch', revision } };
}

/** Returns the interval of an operation; none for a write of unknown outcome that is not in the log. */
function intervalOf(operation: Operation, revisions: ReadonlyMap<string | undefined, number>): Interval[] {
  const { kind, start, end, mark = '', ifMatch, outcome } = operation;
  switch (outcome.kind) {
    case 'ok': {
      const { revision, prefix: value } = outcome.seen;
      const effect =
        kind === 'write'
          ? ({ type: 'write', revision, value, ifMatch } as const)
          : ({ type: 'read', revision, value } as const);
      return [{ start, end, effect }];
    }
    case 'refused':
      return outcome.why === 'revision-mismatch' && ifMatch !== undefined
        ? [{ start, end, effect: { type: 'miss', ifMatch } }]
        : [];
    case 'unknown': {
      const revision = revisions.get(mark);
      if (kind === 'read' || revision === undefined) return [];
      return [{ start, end: Number.POSITIVE_INFINITY, effect: { type: 'write', revision, value: mark, ifMatch } }];
    }
  }
}
