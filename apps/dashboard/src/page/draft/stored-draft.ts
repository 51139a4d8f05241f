import { type Draft, draftOf, type Edit, settled, type Theirs } from './draft.ts';
import { type DraftField, featureOf, SCALAR_FIELDS } from './fields.ts';

/** The part of the browser's storage that drafts use. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Keeps the edits of a draft: they survive a reload, and a new login in this tab. A draft without edits is deleted. */
export function storeDraft(storage: DraftStorage, key: string, { edits }: Draft): void {
  if (edits.size === 0) storage.removeItem(key);
  else storage.setItem(key, JSON.stringify([...edits]));
}

/** Returns the draft that was kept, on what the service has now; without edits where none was. */
export function storedDraft(storage: DraftStorage, key: string, theirs: Theirs): Draft {
  const kept = parsed(storage.getItem(key));
  // Another version of the page may have written something else.
  const isKept = Array.isArray(kept) && kept.every(isEdit);
  return isKept ? settled({ ...draftOf(theirs), edits: new Map(kept) }) : draftOf(theirs);
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/** Whether it is an entry that {@link storeDraft} has written. */
function isEdit(entry: unknown): entry is [DraftField, Edit] {
  if (!Array.isArray(entry) || entry.length !== 2) return false;
  const [field, edit] = entry;
  const type = typeOf(field);
  return type !== undefined && isObject(edit) && typeof edit.mine === type && typeof edit.base === type;
}

/** Returns the type of a field's value; undefined: there is no such field. */
function typeOf(field: unknown): 'string' | 'boolean' | undefined {
  if (typeof field !== 'string') return undefined;
  if (field === 'beta' || featureOf(field) !== undefined) return 'boolean';
  return SCALAR_FIELDS.some((name) => name === field) ? 'string' : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
