import type { Entry } from '@guild-settings/i18n';

export interface HistoryPart {
  readonly entries: readonly Entry[];
  /** The next part is before this revision; undefined: there is none. */
  readonly before: number | undefined;
}

/**
 * Puts new changes at the beginning of the list, each once. Shown changes that a new one has undone get its number, as the
 * service says it of them from now on.
 */
export function mergeNewer(parts: readonly HistoryPart[], newer: readonly Entry[]): HistoryPart[] {
  const undoneBy = new Map(newer.toReversed().map(({ undoes, revision }) => [undoes, revision]));
  const marked = parts.map((part) => ({
    ...part,
    entries: part.entries.map((entry) => {
      const undo = undoneBy.get(entry.revision);
      return undo === undefined ? entry : { ...entry, undoneBy: undo };
    }),
  }));
  const [first, ...others] = marked;
  if (first === undefined) return [{ entries: newer, before: undefined }];
  const shown = new Set(marked.flatMap(({ entries }) => entries.map(({ revision }) => revision)));
  const added = newer.filter(({ revision }) => !shown.has(revision));
  return [{ ...first, entries: [...added, ...first.entries] }, ...others];
}

export function newestShown(parts: readonly HistoryPart[]): number {
  return parts[0]?.entries[0]?.revision ?? 0;
}
