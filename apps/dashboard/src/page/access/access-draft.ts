import type { GrantedLevel, ServedAccessList } from '@guild-settings/contract';

export type Entries = ServedAccessList['entries'];

/** The levels that a person has chosen and not saved, by subject; null: removed. */
export type AccessEdits = ReadonlyMap<string, GrantedLevel | null>;

/** Returns an access list with what the person has chosen, whatever others have changed meanwhile. */
export function withEdits(entries: Entries, edits: AccessEdits): Entries {
  const listed = new Set(entries.map(({ subject }) => subject));
  const kept = entries.flatMap(({ subject, level }) => {
    const chosen = edits.get(subject);
    return chosen === null ? [] : [{ subject, level: chosen ?? level }];
  });
  const added = [...edits].flatMap(([subject, level]) =>
    level === null || listed.has(subject) ? [] : [{ subject, level }],
  );
  return [...kept, ...added];
}

export function changesList(entries: Entries, edits: AccessEdits): boolean {
  const levels = new Map<string, string>(entries.map(({ subject, level }) => [subject, level]));
  return [...edits].some(([subject, level]) => (levels.get(subject) ?? null) !== level);
}
