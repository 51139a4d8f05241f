import type { Words } from './words.ts';

/** A change that is live, as the service says of it. */
interface LiveChange {
  readonly latencyMs?: number | undefined;
  readonly processes?: number | undefined;
  readonly away?: number | undefined;
}

/** Returns where a change is live; undefined: in every process, after an unknown time. */
export function liveText(
  { latencyMs, processes, away = 0 }: LiveChange,
  { shared }: Pick<Words, 'shared'>,
): string | undefined {
  if (processes !== undefined && away > 0) {
    return shared('liveIn', { count: processes, others: shared('notConnected', { count: away }) });
  }
  return latencyMs === undefined ? undefined : shared('live', { ms: latencyMs });
}
