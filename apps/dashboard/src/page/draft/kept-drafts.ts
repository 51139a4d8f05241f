import { tabStorage } from './tab-storage.ts';

/** Returns the key under which the browser's tab keeps a person's draft of a guild. */
export function draftKey(person: string | undefined, guild: string): string {
  return `${prefixOf(person)}${guild}`;
}

/** Returns the keys of a person's drafts that the tab keeps: each has unsaved changes. */
export function keptDrafts(person: string | undefined): readonly string[] {
  return tabStorage.keys().filter((key) => key.startsWith(prefixOf(person)));
}

/** Deletes a person's drafts that the tab keeps. */
export function deleteKeptDrafts(person: string | undefined): void {
  for (const key of keptDrafts(person)) tabStorage.removeItem(key);
}

function prefixOf(person: string | undefined): string {
  return `draft:${person}:`;
}
