import type { Setting } from '@guild-settings/contract/settings';
import { textIn } from '@guild-settings/contract/settings';
import { fieldLabel, flawsOf, flawText } from '@guild-settings/i18n';
import { type DraftField, fieldOf, settingOf, type Value, valueIn } from '../draft/fields.ts';
import { useSettings } from './settings-context.ts';

/** Returns what the control of a setting needs: its texts, its value, and how it is set. */
export function useField(setting: Setting) {
  const { draft, saving, words } = useSettings();
  const { field, declared, place } = setting;
  const set = useSetField();
  const flaw = flawsOf(draft.changes)[field];
  return {
    label: fieldLabel(field, words),
    description: place === 'record' ? words.t(`help.${field}` as never) : textIn(declared.description, words.language),
    /** What is wrong with it: by the rules of the page, else what the service has refused. */
    error:
      flaw === undefined
        ? saving.issues.find(({ path }) => fieldOf(path) === field)?.message
        : flawText(flaw, words, setting),
    value: valueIn(draft.settings, field),
    set: (value: Value) => set(field, value),
  };
}

/** Returns how a field is set. */
export function useSetField(): (field: DraftField, value: Value) => void {
  const { draft, saving } = useSettings();
  return (field, value) => {
    draft.store.edit(field, value);
    saving.clearIssues(settingOf(field));
  };
}
