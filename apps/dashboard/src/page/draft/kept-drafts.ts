const PREFIX = 'draft:';

/** Returns the key under which the browser's tab keeps a person's draft of a guild. */
export function draftKey(person: string | undefined, guild: string): string {
  return `${PREFIX}${person}:${guild}`;
}

/** Returns the keys of all drafts that the tab keeps: each has unsaved changes. */
export function keptDrafts(): readonly string[] {
  try {
    return Object.keys(window.sessionStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    // The browser allows no storage.
    return [];
  }
}

/** Deletes all drafts that the tab keeps. */
export function deleteKeptDrafts(): void {
  for (const key of keptDrafts()) window.sessionStorage.removeItem(key);
}
