import { type GuildId, ImportDocument, issuesOf, settingsOf, unknownFieldsOf } from '@guild-settings/contract';
import type { SettingValues } from './settings.ts';

/** The settings of a row, or why it has none. */
export type Mapped =
  | {
      readonly is: 'guild';
      readonly guild: GuildId;
      readonly settings: SettingValues;
      /** Names in a document of an export that this version does not know. */
      readonly unknown?: readonly string[];
    }
  /** A row that cannot be taken. */
  | { readonly is: 'rejected'; readonly guild?: string; readonly problem: string }
  /** A row about something else: another kind of key, or without a value at any path. */
  | { readonly is: 'other' };

/** Whether a row is a document of an export, whose settings need no conversion. */
export function isExport(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'version' in value && 'guild' in value && 'settings' in value;
}

/** Takes the settings of a guild from the document of an export. */
export function mapExport(value: object): Mapped {
  const { data, error } = ImportDocument.safeParse(value);
  if (data === undefined) return { is: 'rejected', problem: problemsOf(error).join('; ') };
  const settings = settingsOf(data.settings);
  if (Object.keys(settings).length === 0) return { is: 'other' };
  return { is: 'guild', guild: data.guild, settings, unknown: unknownFieldsOf(data).map(({ path }) => path.join('.')) };
}

/** Returns the problems of a value that does not fit a schema. */
export function problemsOf(error: Parameters<typeof issuesOf>[0]): string[] {
  return issuesOf(error).map(({ path, message }) => `${path.join('.')}: ${message}`);
}
