import type { ProblemIssue } from '@guild-settings/contract';
import { folded, type Setting } from '@guild-settings/contract/settings';
import { fieldLabel } from '@guild-settings/i18n';
import { type Draft, isInConflict, shownValue, viewOf } from '../draft/draft.ts';
import { fieldOf, settingOf, valueIn } from '../draft/fields.ts';
import type { Groups, Section } from './groups.ts';
import { descriptionOf, type Valued, valueError } from './settings-context.ts';
import type { ValueWords } from './value-text.ts';

export interface Found {
  readonly section: Section;
  readonly setting: Setting;
}

/**
 * Returns the settings matching a search: by label, description, and the name of their group. Matching labels come
 * first.
 */
export function search({ sections }: Groups, query: string, words: ValueWords): readonly Found[] {
  const wanted = folded(query.trim()).split(/\s+/);
  const isIn = (...texts: readonly (string | undefined)[]) => {
    const text = folded(texts.join('\n'));
    return wanted.every((word) => text.includes(word));
  };
  const found = sections.flatMap((section) =>
    section.settings
      .map((setting) => ({ section, setting, label: fieldLabel(setting.field, words) }))
      .filter(({ setting, label }) => isIn(label, descriptionOf(setting, words), setting.name, section.heading)),
  );
  return [...found.filter(({ label }) => isIn(label)), ...found.filter(({ label }) => !isIn(label))];
}

/** Returns the number of settings of a section with unsaved changes. */
export function changedIn({ settings }: Section, { edits }: Draft): number {
  const changed = new Set([...edits.keys()].map(settingOf));
  return settings.filter(({ shownField }) => changed.has(shownField)).length;
}

/** Returns the revision of the newest change by others in a section since the page was opened; 0: none. */
export function changedByOthersAt({ settings }: Section, { theirs: { changedBy } }: Draft): number {
  return Math.max(0, ...settings.map(({ shownField }) => changedBy[shownField]?.revision ?? 0));
}

/** Returns the state of a section's switch; undefined: it has none. */
export function isSwitchedOn({ enabledBy }: Section, draft: Draft): boolean | undefined {
  return enabledBy && (shownValue(draft, enabledBy.shownField) ?? enabledBy.default) === true;
}

/**
 * Returns true if a setting needs attention before the draft can be saved: a conflict, an invalid value, or a refusal
 * by the service.
 */
export function isWrong(setting: Setting, draft: Draft, issues: readonly ProblemIssue[], valued: Valued): boolean {
  const { shownField: field } = setting;
  const edited = [...draft.edits.keys()].filter((one) => settingOf(one) === field);
  const { byField } = valued.words.settings;
  if (issues.some(({ path }) => byField.get(fieldOf(path)) === setting)) return true;
  if (edited.some((one) => isInConflict(draft, one))) return true;
  const value = edited.length > 0 ? valueIn(viewOf(draft).settings, field) : undefined;
  return value !== undefined && valueError(setting, value, valued) !== undefined;
}
