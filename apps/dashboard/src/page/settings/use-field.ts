import { flawsOf } from '@guild-settings/i18n';
import { type DraftField, type Field, settingOf, type ValueOf } from '../draft/fields.ts';
import { useSettings } from './settings-context.ts';

/** Returns what is wrong with a field: by the rules of the page, else what the service has refused. */
export function useFieldError(field: Field): string | undefined {
  const { draft, saving, words } = useSettings();
  const flaw = flawsOf(draft.changes)[field];
  if (flaw !== undefined) return words.shared(`flaw.${flaw.key}`, { ...flaw });
  return saving.issues.find(({ path }) => path[0] === field)?.message;
}

/** Returns how a field is set. */
export function useSetField(): <F extends DraftField>(field: F, value: ValueOf<F>) => void {
  const { draft, saving } = useSettings();
  return (field, value) => {
    draft.store.edit(field, value);
    saving.clearIssues(settingOf(field));
  };
}
