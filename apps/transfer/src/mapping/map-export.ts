import {
  CUSTOM,
  type DeclaredSettings,
  EXPECTED,
  type FieldPatch,
  fieldsOf,
  type GuildId,
  type ImportDocument,
  issuesOf,
  type ProblemIssue,
  type SettingValue,
  stored,
  unknownFieldsOf,
} from '@guild-settings/contract';
import type { RefusedValue } from './take-value.ts';

/** The settings of a row, or why it has none. */
export type Mapped =
  | {
      readonly is: 'guild';
      readonly guild: GuildId;
      /** By the names of the history, such as `prefix` and `custom.xpRate`. */
      readonly settings: FieldPatch;
      readonly refused: readonly RefusedValue[];
      /** Names of values that no path takes. */
      readonly unmapped: Iterable<string>;
    }
  | { readonly is: 'rejected'; readonly guild?: string; readonly problem: string }
  /** A row that is to be mapped again when it is decided what an empty prefix becomes. */
  | { readonly is: 'undecided' }
  /** A row about something else: another kind of key, or without a value at any path. */
  | { readonly is: 'other'; readonly unmapped: Iterable<string> };

export function isExport(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'version' in value && 'guild' in value && 'settings' in value;
}

export function mapExport(value: object, documents: typeof ImportDocument, declared: DeclaredSettings): Mapped {
  const { error } = documents.safeParse(value, EXPECTED);
  const issues = error === undefined ? [] : issuesOf(error);
  if (issues.some((issue) => fieldOf(issue) === undefined)) return { is: 'rejected', problem: problemOf(issues) };
  // A document, apart from the issues of single settings.
  const document = value as ImportDocument;
  const settings: Record<string, SettingValue | null> = {};
  const refused: RefusedValue[] = [];
  for (const [field, value] of Object.entries(fieldsOf(document.settings))) {
    const setting = declared.byField.get(field);
    if (setting === undefined) continue;
    const own = issues.filter((issue) => fieldOf(issue) === field);
    if (own.length === 0) settings[field] = value === null ? null : stored(setting, value);
    else refused.push({ field, value, problem: problemOf(own) });
  }
  const unmapped = unknownFieldsOf(document, declared).map(({ path }) => path.join('.'));
  if (Object.keys(settings).length === 0 && refused.length === 0) return { is: 'other', unmapped };
  return { is: 'guild', guild: document.guild, settings, refused, unmapped };
}

/** Returns the setting that is not valid; undefined: the document is not. */
function fieldOf({ path: [part, name, inner] }: ProblemIssue): string | undefined {
  if (part !== 'settings' || name === undefined) return undefined;
  if (name !== 'custom') return String(name);
  return inner === undefined ? undefined : `${CUSTOM}${inner}`;
}

function problemOf(issues: readonly ProblemIssue[]): string {
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}
