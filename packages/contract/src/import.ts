import { z } from 'zod';
import { GuildExport } from './export.ts';
import { Guild, GuildSettings } from './guild.ts';
import { DryRun, FieldChanges, SkippedField } from './history.ts';
import { shortened } from './issues.ts';
import { LIMITS } from './limits.ts';
import { Problem } from './problem.ts';
import { type DeclaredSettings, SPECIFIED_SETTINGS } from './settings/declared-settings.ts';
import { GuildId } from './snowflake.ts';

/** The settings in an import: those in the document. Others stay as they are. */
export const ImportedSettings = z.looseObject(GuildSettings.partial().shape);

/**
 * The document of an import: an export of any guild, or a handwritten document with the version, the guild and some
 * settings. Unknown fields are accepted, because a newer service may have written them.
 */
export const ImportDocument = importDocument(ImportedSettings, SPECIFIED_SETTINGS);
export type ImportDocument = z.infer<typeof ImportDocument>;

export function importDocument<Settings extends typeof ImportedSettings>(
  settings: Settings,
  declared: DeclaredSettings,
) {
  return z
    .looseObject({
      ...GuildExport.partial().shape,
      version: GuildExport.shape.version,
      guild: GuildId.meta({ description: 'The guild that was exported.' }),
      settings: settings.meta({ description: 'The settings to import. Omitted ones stay as they are.' }),
      access: z
        .unknown()
        .meta({ description: 'Accepted but not imported: an access list belongs to one guild.' })
        .optional(),
      history: z
        .unknown()
        .meta({ description: 'Accepted but not imported: its authors cannot be verified.' })
        .optional(),
    })
    .refine((document) => unknownFieldsOf(document, declared).length <= LIMITS.unknownFields, {
      message: `expected at most ${LIMITS.unknownFields} unknown fields`,
    })
    .meta({ title: 'ImportDocument', description: 'An export.' });
}

export const ImportInput = importInput(ImportDocument);

export function importInput<Document extends typeof ImportDocument>(document: Document) {
  return z.strictObject({ guild: GuildId, dry_run: DryRun, document });
}

/** A field of a document that this deployment does not know. */
export interface UnknownField {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Returns the fields of a document that this deployment does not know. */
export function unknownFieldsOf(document: object, declared: DeclaredSettings = SPECIFIED_SETTINGS): UnknownField[] {
  const { settings } = document as { readonly settings?: unknown };
  const custom = isObject(settings) && declared.custom !== undefined ? settings.custom : undefined;
  const inSettings = [...SPECIFIED_SETTINGS.byField.keys(), ...(declared.custom === undefined ? [] : ['custom'])];
  return [
    ...unknownIn(document, Object.keys(ImportDocument.shape), []),
    ...unknownIn(settings, inSettings, ['settings']),
    ...unknownIn(custom, declared.custom?.flatMap(({ name, was }) => [name, ...was]) ?? [], ['settings', 'custom']),
  ];
}

function unknownIn(object: unknown, known: readonly string[], path: readonly string[]): UnknownField[] {
  if (!isObject(object)) return [];
  return Object.entries(object)
    .filter(([field]) => !known.includes(field))
    .map(([field, value]) => ({ path: [...path, shortened(field)], value }));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

export const ImportResult = z
  .strictObject({
    revision: z.int().min(0).meta({
      description: "The guild's revision after the import; with `dry_run`, the current one, for If-Match.",
    }),
    changes: FieldChanges.meta({ description: 'The fields that changed, or would change. Empty: none.' }),
    skipped: z.array(SkippedField).meta({ description: 'The skipped fields.' }),
    guild: Guild.meta({ description: 'The record after the import; absent with `dry_run`.' }).optional(),
  })
  .meta({ title: 'ImportResult', description: 'The result of an import.' });
export type ImportResult = z.infer<typeof ImportResult>;

export const ImportRow = z
  .strictObject({
    guild: GuildId,
    settings: z.strictObject(GuildSettings.partial().shape).meta({ description: 'Omitted settings stay as they are.' }),
  })
  .meta({ id: 'ImportRow', title: 'ImportRow', description: 'The settings to import into one guild.' });
export type ImportRow = z.infer<typeof ImportRow>;

export const ImportGuilds = z
  .strictObject({ guilds: z.array(ImportRow).max(LIMITS.importGuilds) })
  .meta({ title: 'ImportGuilds', description: 'The settings to import into many guilds.' });
export type ImportGuilds = z.infer<typeof ImportGuilds>;

/**
 * A row as the service receives it: an {@link ImportRow}, unless the caller made a mistake. Each is validated
 * individually.
 */
const AnyRow = z.unknown().meta({ description: 'A row, as `ImportRow` describes it.' }) as z.ZodType<
  unknown,
  ImportRow
>;

/** The input of an import into several guilds. An invalid row does not affect the others. */
export const ImportGuildsInput = z.strictObject({
  guilds: z.array(AnyRow).max(LIMITS.importGuilds, `expected at most ${LIMITS.importGuilds} guilds`),
  dry_run: DryRun,
});

/** The outcome of one row: what changed or would change, or why nothing did. */
export const ImportOutcome = z.union([
  z.strictObject({
    guild: GuildId,
    changes: FieldChanges.meta({ description: 'The fields that changed, or would change. Empty: none.' }),
  }),
  z.strictObject({
    guild: z.string().nullable().meta({ description: 'The id in the row; null: it has none.', maxLength: 64 }),
    problem: Problem.pick({ type: true, title: true, status: true, detail: true, issues: true, retryAfter: true }),
  }),
]);
export type ImportOutcome = z.infer<typeof ImportOutcome> & {
  /** The skipped settings that only the application can change; absent: none. */
  skipped?: SkippedField[];
};

export const ImportedGuilds = z
  .strictObject({ guilds: z.array(ImportOutcome).meta({ description: 'The outcomes, in the order of the rows.' }) })
  .meta({ title: 'ImportedGuilds', description: 'The outcomes of an import into many guilds.' });
export type ImportedGuilds = { guilds: ImportOutcome[] };
