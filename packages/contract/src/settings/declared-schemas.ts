import { z } from 'zod';
import { GuildPatch, withGuild } from '../guild-patch.ts';
import { type ChangedField, HistoryInput } from '../history.ts';
import { ImportedSettings, ImportRow, importDocument, importInput } from '../import.ts';
import type { DeclaredSettings } from './declared-settings.ts';
import { recordSchema, requestSchema, specifiedShape } from './schemas.ts';
import { CHANGED_FIELDS } from './specified.ts';

export type DeclaredSchemas = ReturnType<typeof declaredSchemas>;

/** Makes the schemas of requests in which the declared settings are known, and null is the way back to a default. */
export function declaredSchemas(declared: DeclaredSettings) {
  const custom = declared.custom ?? [];
  const nullable = specifiedShape((setting) => requestSchema(setting).nullable().optional());
  const specified = nullable as unknown as typeof ImportedSettings.shape;
  const requests = custom.map((setting) => [setting.name, requestSchema(setting).nullable().optional()]);
  const types = custom.map((setting) => [setting.name, recordSchema(setting).nullable().optional()]);
  const names = custom.map(({ field }) => field);
  // Where none is declared, `custom` is a field like any other unknown one.
  const withCustom = <Custom extends z.ZodType>(inside: Custom) =>
    ({ ...specified, ...(declared.custom && { custom: inside.optional() }) }) as typeof specified & {
      custom: z.ZodOptional<Custom>;
    };
  const patch = GuildPatch.extend(withCustom(z.strictObject(Object.fromEntries(requests))));
  const inDocument = withCustom(z.looseObject(Object.fromEntries(requests)));
  const document = importDocument(ImportedSettings.extend(inDocument), declared);
  // The limits of the values in many rows are checked in the transaction, where it is known which of them change.
  const inRow = withCustom(z.strictObject(Object.fromEntries(types)));
  const field = z.enum([...CHANGED_FIELDS, ...names]) as unknown as z.ZodType<ChangedField, ChangedField>;
  return {
    GuildPatch: patch,
    GuildPatchInput: withGuild(patch),
    ImportDocument: document,
    ImportInput: importInput(document),
    ImportRow: ImportRow.extend({ settings: ImportRow.shape.settings.extend(inRow) }),
    HistoryInput: HistoryInput.extend({ field: field.optional() }),
  };
}
