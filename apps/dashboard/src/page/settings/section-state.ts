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
 * Returns the settings that a search finds: by their names, what they do, and the names of their groups. Those that it finds by their
 * labels come first.
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

/** Returns how many settings of a section have unsaved changes. */
export function changedIn({ settings }: Section, { edits }: Draft): number {
  const changed = new Set([...edits.keys()].map(settingOf));
  return settings.filter(({ shownField }) => changed.has(shownField)).length;
}

/** Returns the revision of the newest change that others have made in a section since the page was opened; 0: they have made none. */
export function changedByOthersAt({ settings }: Section, { theirs: { changedBy } }: Draft): number {
  return Math.max(0, ...settings.map(({ shownField }) => changedBy[shownField]?.revision ?? 0));
}

/** Returns whether the switch of a section is on; undefined: it has none. */
export function isSwitchedOn({ enabledBy }: Section, draft: Draft): boolean | undefined {
  return enabledBy && (shownValue(draft, enabledBy.shownField) ?? enabledBy.default) === true;
}

/** Returns whether a setting has to be seen to before the draft can be saved: a conflict, a flaw, or a refusal of the service. */
export function isWrong(setting: Setting, draft: Draft, issues: readonly ProblemIssue[], valued: Valued): boolean {
  const { shownField: field } = setting;
  const edited = [...draft.edits.keys()].filter((one) => settingOf(one) === field);
  const { byField } = valued.words.settings;
  if (issues.some(({ path }) => byField.get(fieldOf(path)) === setting)) return true;
  if (edited.some((one) => isInConflict(draft, one))) return true;
  const value = edited.length > 0 ? valueIn(viewOf(draft).settings, field) : undefined;
  return value !== undefined && valueError(setting, value, valued) !== undefined;
}
