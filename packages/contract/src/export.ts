import { z } from 'zod';
import { type Guild, GuildProfile, RecordSettings } from './guild.ts';
import { ServedAccessList } from './guild-access.ts';
import { GuildInput } from './guild-patch.ts';
import { HistoryEntry, Timestamp } from './history.ts';
import { GuildId } from './snowflake.ts';

/** The version of the export format. Adding a field does not change it, because older readers ignore the field. */
export const EXPORT_VERSION = 1;

/** The path of the JSON Schema of exports on the service: the value of `$schema` in an export. */
export const EXPORT_SCHEMA_PATH = '/schemas/guild-export.v1.json';

/** Characters of a reference to a schema, or to a part of a history. */
const REFERENCE_LENGTH = 256;

export const ExportedHistory = z.strictObject({
  entries: z.array(HistoryEntry).meta({ description: 'Changes up to `revision`, the newest first.' }),
  complete: z.boolean().meta({
    description: 'Whether these are all changes that the service keeps. Otherwise `next` leads to the older ones.',
  }),
  next: z
    .string()
    .meta({
      description: 'The path of the next older part of the history on the service; absent with a complete history.',
      maxLength: REFERENCE_LENGTH,
      examples: ['/guilds/197038439483310086/history?before=42'],
    })
    .optional(),
});
export type ExportedHistory = z.infer<typeof ExportedHistory>;

/** An export: the settings of a guild as a document, to move or keep them. */
export const GuildExport = z
  .strictObject({
    $schema: z.string().meta({
      description: 'The JSON Schema of this document.',
      maxLength: REFERENCE_LENGTH,
      examples: [EXPORT_SCHEMA_PATH],
    }),
    version: z
      .literal(EXPORT_VERSION, `expected ${EXPORT_VERSION}, the version of exports that this service knows`)
      .meta({ description: 'The version of this format.' }),
    guild: GuildId,
    name: GuildProfile.shape.name.meta({ description: "The guild's name. It is not imported: Discord owns it." }),
    revision: z
      .int()
      .min(0)
      .meta({ description: "The guild's revision, for `If-Match`; 0 without changes.", examples: [42] }),
    exportedAt: Timestamp.meta({ description: 'When the document was written (RFC 3339).' }),
    settings: z.strictObject(RecordSettings.shape).meta({ description: 'The settings.' }),
    access: ServedAccessList.shape.entries
      .meta({ description: 'The access list, with the history. It is not imported.' })
      .optional(),
    history: ExportedHistory.meta({ description: 'The history, if it was requested. It is not imported.' }).optional(),
  })
  .meta({ title: 'GuildExport', description: 'The settings of a guild, for a transfer or a backup.' });
export type GuildExport = z.infer<typeof GuildExport>;

export const ExportInput = z.strictObject({
  ...GuildInput.shape,
  history: z.boolean().meta({ description: 'Whether to add the history.' }).optional(),
});

/** A record, its revision, and the time of its export. */
export interface ExportSource {
  readonly guild: Guild;
  readonly revision: number;
  readonly exportedAtMs: number;
}

/** Returns the export of a record, without its history. */
export function exportOf({ guild, revision, exportedAtMs }: ExportSource): GuildExport {
  const { id, name, icon: _icon, ...settings } = guild;
  return {
    $schema: EXPORT_SCHEMA_PATH,
    version: EXPORT_VERSION,
    guild: id,
    name,
    revision,
    exportedAt: new Date(exportedAtMs).toISOString(),
    settings,
  };
}

/**
 * Returns the JSON Schema of exports: `schemas/guild-export.v1.json`, which the service serves at
 * {@link EXPORT_SCHEMA_PATH}. It allows unknown fields and values, because a later service with the same export version
 * may add some.
 */
export function guildExportSchema(): object {
  return z.toJSONSchema(GuildExport, {
    target: 'draft-2020-12',
    override({ jsonSchema }) {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // A keyword of OpenAPI documents that strict validators of JSON Schema refuse.
      delete jsonSchema['x-extensible-enum'];
    },
  });
}
