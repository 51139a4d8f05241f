import { z } from 'zod';
import { GuildPatch, withGuild } from '../guild-patch.ts';
import { type ChangedField, HistoryInput } from '../history.ts';
import { ImportedSettings, ImportRow, importDocument, importInput } from '../import.ts';
import { CUSTOM, type DeclaredSettings } from './declared-settings.ts';
import { importedSchema, requestSchema, specifiedShape } from './schemas.ts';
import type { Setting } from './setting.ts';
import { CHANGED_FIELDS } from './specified.ts';

export type DeclaredSchemas = ReturnType<typeof declaredSchemas>;

/** Makes the schemas of requests with declared settings, each by all of its names. Null resets to the default. */
export function declaredSchemas(declared: DeclaredSettings) {
  const custom = declared.custom ?? [];
  const nullable = specifiedShape((setting) => requestSchema(setting).nullable().optional());
  const specified = nullable as unknown as typeof ImportedSettings.shape;
  const byName = (schemaOf: (setting: Setting) => z.ZodType) =>
    Object.fromEntries(
      custom.flatMap((setting) => {
        const schema = schemaOf(setting).nullable().optional();
        return [setting.name, ...setting.was].map((name) => [name, schema]);
      }),
    );
  const requests = byName(requestSchema);
  const once = <Custom extends z.ZodType>(schema: Custom) => custom.reduce(withOneName, schema);
  // Without a declaration, `custom` is an unknown field like any other.
  const withCustom = <Custom extends z.ZodType>(inside: Custom) =>
    ({ ...specified, ...(declared.custom && { custom: inside.optional() }) }) as typeof specified & {
      custom: z.ZodOptional<Custom>;
    };
  const patch = GuildPatch.extend(withCustom(once(z.strictObject(requests))));
  const inDocument = withCustom(once(z.looseObject(requests)));
  const document = importDocument(ImportedSettings.extend(inDocument), declared);
  // The limits of values in several rows are checked in the transaction, which knows the ones that change.
  const inRow = withCustom(once(z.strictObject(byName(importedSchema))));
  const names = Object.keys(requests).map((name) => `${CUSTOM}${name}`);
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

/** Refuses a former name of a setting together with a later one, because the value would be ambiguous. */
function withOneName<Custom extends z.ZodType>(schema: Custom, { name, was }: Setting): Custom {
  return was.reduce((checked, former, at) => {
    const later = [name, ...was.slice(at + 1)];
    return checked.refine((custom) => !isNamed(custom, [former]) || !isNamed(custom, later), {
      path: [former],
      message: `expected one name of the setting: ${former} is a former name of ${name}`,
      // Also checked if there are other issues, so that the response lists all of them. Only an integer that is none ends the checks.
      when: ({ value }) => typeof value === 'object' && value !== null,
    });
  }, schema);
}

function isNamed(custom: unknown, names: readonly string[]): boolean {
  return names.some((name) => Object.hasOwn(custom as object, name));
}
