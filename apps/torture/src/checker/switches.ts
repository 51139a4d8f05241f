import type { LogEntry, Operation } from '../history.ts';
import type { Erasures } from './erasures.ts';
import { byGuild, type Evidence } from './evidence.ts';

/**
 * Finds switches that changed other features than their own, acknowledged ones whose feature was otherwise at their revision,
 * features that changed without a line of the log, and undos and restores that put other features back than those of their target.
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
  /** The switch that made the line; undefined: something else did. */
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
