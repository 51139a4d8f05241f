import { ImportDocument, issuesOf, settingsOf, unknownFieldsOf } from '@guild-settings/contract';
import type { Mapped } from './mapped.ts';

/** Whether a row is a document of an export, whose settings need no conversion. */
export function isExport(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'version' in value && 'guild' in value && 'settings' in value;
}

/** Takes the settings of a guild from the document of an export. */
export function mapExport(value: object): Mapped {
  const { data, error } = ImportDocument.safeParse(value);
  if (data === undefined) {
    const issues = issuesOf(error).map(({ path, message }) => `${path.join('.')}: ${message}`);
    return { is: 'refused', problem: issues.join('; ') };
  }
  const settings = settingsOf(data.settings);
  if (Object.keys(settings).length === 0) return { is: 'other' };
  return { is: 'guild', guild: data.guild, settings, unknown: unknownFieldsOf(data).map(({ path }) => path.join('.')) };
}
