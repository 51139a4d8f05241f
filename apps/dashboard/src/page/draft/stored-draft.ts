import { type Draft, draftOf, settled, type Theirs } from './draft.ts';
import { pick, SCALAR_FIELDS } from './fields.ts';

/** The part of the browser's storage that drafts use. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Keeps the edits of a draft: they survive a reload, and a new login in this tab. A draft without edits is deleted. */
export function storeDraft(storage: DraftStorage, key: string, { mine, base, switched, overruled }: Draft): void {
  if (Object.keys(mine).length === 0 && switched.size === 0) storage.removeItem(key);
  else storage.setItem(key, JSON.stringify({ mine, base, switched: [...switched], overruled: [...overruled] }));
}

/** Returns the draft that was kept, on what the service has now; without edits where none was. */
export function storedDraft(storage: DraftStorage, key: string, theirs: Theirs): Draft {
  const empty = draftOf(theirs);
  const kept = parsed(storage.getItem(key));
  return isKept(kept)
    ? settled({
        ...empty,
        mine: pick(kept.mine, SCALAR_FIELDS),
        base: pick(kept.base, SCALAR_FIELDS),
        switched: new Map(kept.switched),
        overruled: new Set(kept.overruled),
      })
    : empty;
}

type Kept = Pick<Draft, 'mine' | 'base'> & {
  readonly switched: readonly (readonly [string, boolean])[];
  readonly overruled?: readonly string[];
};

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/** Whether it is what {@link storeDraft} has written. Another version of the page may have written something else. */
function isKept(value: unknown): value is Kept {
  if (!isObject(value) || !isObject(value.mine) || !isObject(value.base) || !Array.isArray(value.switched))
    return false;
  const isPair = (pair: unknown) =>
    Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string' && typeof pair[1] === 'boolean';
  const { overruled = [] } = value;
  const hasNames = Array.isArray(overruled) && overruled.every((name) => typeof name === 'string');
  return hasScalars(value.mine) && hasScalars(value.base) && value.switched.every(isPair) && hasNames;
}

function hasScalars(values: Record<string, unknown>): boolean {
  return SCALAR_FIELDS.every(
    (field) => !Object.hasOwn(values, field) || typeof values[field] === (field === 'beta' ? 'boolean' : 'string'),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
