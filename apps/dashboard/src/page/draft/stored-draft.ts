import { type DeclaredSettings, fits, type SettingValue } from '@guild-settings/contract/settings';
import { type Draft, draftOf, type Edit, settled, type Theirs } from './draft.ts';
import { type DraftField, FEATURES, featureOf } from './fields.ts';

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Keeps the edits of a draft: they survive a reload, and a new login in this tab. A draft without edits is deleted. */
export function storeDraft(storage: DraftStorage, key: string, { edits }: Draft): void {
  if (edits.size === 0) storage.removeItem(key);
  else storage.setItem(key, JSON.stringify([...edits]));
}

/** Returns the draft that was kept, on what the service has now; without edits where none was, and without those of other settings. */
export function storedDraft(storage: DraftStorage, key: string, theirs: Theirs, declared: DeclaredSettings): Draft {
  const kept = parsed(storage.getItem(key));
  // Another version of the page may have written something else, with other settings.
  const edits = Array.isArray(kept) ? kept.filter((entry) => isEdit(entry, declared)) : [];
  const ofNow = edits.map(([field, edit]) => [field, edit.isReset ? resetOf(declared, field, edit) : edit] as const);
  return settled({ ...draftOf(theirs), edits: new Map(ofNow) });
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

function isEdit(entry: unknown, declared: DeclaredSettings): entry is [DraftField, Edit] {
  if (!Array.isArray(entry) || entry.length !== 2) return false;
  const [field, edit] = entry;
  if (!isObject(edit) || ![undefined, true].includes(edit.isReset as undefined)) return false;
  return (
    isValueOf(declared, field, edit.base) &&
    (isValueOf(declared, field, edit.mine) || isTyped(declared, field, edit.mine))
  );
}

/**
 * Returns a way back to the default with the default of now: the declaration may have another one than when it was chosen. Without a
 * declaration, a setting has that value.
 */
function resetOf(declared: DeclaredSettings, field: DraftField, { isReset: _, ...edit }: Edit): Edit {
  const mine = declared.byField.get(field)?.default ?? edit.mine;
  return { ...edit, mine, ...(declared.tag !== undefined && { isReset: true as const }) };
}

function isValueOf(declared: DeclaredSettings, field: unknown, value: unknown): value is SettingValue {
  if (typeof field !== 'string') return false;
  if (featureOf(field) !== undefined) return typeof value === 'boolean';
  const setting = declared.byField.get(field);
  // A setting that only the application sets from now on would prevent saving all others.
  if (setting === undefined || setting.declared.setBy === 'application') return false;
  return field !== FEATURES.field && fits(setting, value);
}

/** Returns whether a value is what was typed as a number and is none: the page says what is wrong with it. */
function isTyped(declared: DeclaredSettings, field: string, value: unknown): boolean {
  const setting = declared.byField.get(field);
  return typeof value === 'string' && setting?.kind.type === 'integer' && setting.many === undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
