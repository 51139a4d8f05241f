import { z } from 'zod';
import { CHANGED_FIELDS } from '../changed-fields.ts';
import { GuildPatch, withGuild } from '../guild-patch.ts';
import { type ChangedField, HistoryInput } from '../history.ts';
import { ImportedSettings, ImportRow, importDocument, importInput } from '../import.ts';
import type { DeclaredSettings } from './declared-settings.ts';
import { recordSchema, requestSchema } from './schemas.ts';

export type DeclaredSchemas = ReturnType<typeof declaredSchemas>;

/** Makes the schemas of requests in which the declared settings are known. */
export function declaredSchemas(declared: DeclaredSettings) {
  const custom = declared.custom ?? [];
  const requests = custom.map((setting) => [setting.name, requestSchema(setting).nullable().optional()]);
  const types = custom.map((setting) => [setting.name, recordSchema(setting).nullable().optional()]);
  const names = custom.map(({ field }) => field);
  const inPatch = z.strictObject(Object.fromEntries(requests)).optional();
  const inDocument = z.looseObject(Object.fromEntries(requests)).optional();
  // The limits of the values in many rows are checked in the transaction, where it is known which of them change.
  const inRow = z.strictObject(Object.fromEntries(types)).optional();
  const patch = GuildPatch.extend({ custom: inPatch });
  const document = importDocument(ImportedSettings.extend({ custom: inDocument }), declared);
  const field = z.enum([...CHANGED_FIELDS, ...names]) as unknown as z.ZodType<ChangedField, ChangedField>;
  return {
    GuildPatch: patch,
    GuildPatchInput: withGuild(patch),
    ImportDocument: document,
    ImportInput: importInput(document),
    ImportRow: ImportRow.extend({ settings: ImportRow.shape.settings.extend({ custom: inRow }) }),
    HistoryInput: HistoryInput.extend({ field: field.optional() }),
  };
}
