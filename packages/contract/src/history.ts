import { z } from 'zod';
import { EPOCH_MARK_LENGTH } from './entity-tag.ts';
import { Guild } from './guild.ts';
import { GuildInput } from './guild-patch.ts';
import { LIMITS } from './limits.ts';
import { openEnum } from './open-enum.ts';
import { CHANGED_FIELDS } from './settings/specified.ts';
import { Snowflake } from './snowflake.ts';
import { text } from './text.ts';

/** The reason of a change, written by its author. */
export const AuditReason = text({ min: 1, max: LIMITS.reason });

export const ACTOR_KINDS = ['user', 'application', 'platform'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/**
 * The origin of a change: its transport, `bot` for the application on behalf of a user, or the operation that made it.
 */
export const CHANGE_ORIGINS = ['rest', 'trpc', 'bot', 'platform', 'undo', 'restore', 'import'] as const;
export type ChangeOrigin = (typeof CHANGE_ORIGINS)[number];

/** The reasons for which a field of a document is not imported. More may be added. */
export const SKIP_REASONS = ['other-guild', 'unknown-field', 'access', 'history'] as const;
/** A reason why an import or a restore skips a value. */
export type SkipReason = (typeof SKIP_REASONS)[number] | 'reserved' | 'invalid';

export const SkippedField = z
  .strictObject({
    field: z
      .string()
      .meta({ description: 'The name of the field.', maxLength: 128, examples: ['announcement_channel'] }),
    pointer: z.string().meta({
      description: 'Its JSON Pointer in the document (RFC 6901).',
      maxLength: 256,
      examples: ['/settings/announcement_channel'],
    }),
    value: z.unknown().meta({ description: 'Its value; absent for a history and an access list.' }).optional(),
    reason: z.string().meta({
      description:
        '`other-guild`: it belongs to the guild that was exported. `unknown-field`: this version does not know it. ' +
        '`access`: access lists are not imported. `history`: changes are not imported.',
      maxLength: 64,
      examples: [...SKIP_REASONS],
    }),
    detail: z.string().meta({ description: 'The reason as a sentence.', maxLength: 512 }),
  })
  .meta({ id: 'SkippedField', description: 'A field that was not imported.' });
export type SkippedField = z.infer<typeof SkippedField>;

/** The number of a change, in commit order. */
const Revision = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/** The pattern of an epoch's mark. */
const EPOCH_MARK = new RegExp(`^[0-9a-z]{${EPOCH_MARK_LENGTH}}$`);

const PointInTime = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/**
 * The kind of a change: of settings or of the access list, by a person or the application, or of data owned by Discord
 * (a rename, a join, a kick).
 */
export const ChangeKind = z.enum(['settings', 'access', 'platform']);
export type ChangeKind = z.infer<typeof ChangeKind>;

/** The fields that a change can contain; if settings are declared, also `custom.` with their names. */
export type ChangedField = (typeof CHANGED_FIELDS)[number] | `custom.${string}`;
export const ChangedField = z.enum(CHANGED_FIELDS) as unknown as z.ZodType<ChangedField, ChangedField>;

export const Timestamp = z.string().meta({
  format: 'date-time',
  maxLength: 30,
  description: 'When the change was made (RFC 3339).',
  examples: ['2026-11-22T08:00:00.000Z'],
});

export const FieldChange = z.strictObject({
  from: z.unknown().meta({ description: 'The value before.' }),
  to: z.unknown().meta({ description: 'The value after.' }),
});
export type FieldChange = z.infer<typeof FieldChange>;

export const FieldChanges = z.record(z.string().meta({ maxLength: 64 }), FieldChange);
export type FieldChanges = z.infer<typeof FieldChanges>;

export const Actor = z.strictObject({
  kind: openEnum(ACTOR_KINDS, 'The kind of the author.'),
  id: z
    .string()
    .nullable()
    .meta({ maxLength: 20, description: "The author's Discord id; null: the person had it erased." }),
});
export type Actor = z.infer<typeof Actor>;

/** A change of a guild, as the change log records it. */
export const HistoryEntry = z
  .strictObject({
    revision: Revision.meta({ description: 'The revision that the change made.', examples: [42] }),
    at: Timestamp,
    kind: openEnum(ChangeKind.options, 'What changed: settings, the access list, or data owned by Discord.'),
    actor: Actor,
    origin: openEnum(CHANGE_ORIGINS, 'The origin of the change.'),
    reason: z.string().nullable().meta({ maxLength: LIMITS.reason, description: "The author's reason." }),
    changes: FieldChanges.meta({ description: 'The changed fields.' }),
    undoes: Revision.meta({ description: 'The change that this one undid.' }).optional(),
    restores: PointInTime.meta({ description: 'The revision whose settings this change restored.' }).optional(),
    undoneBy: Revision.meta({ description: 'The newest change that undid this one.' }).optional(),
  })
  .meta({ id: 'HistoryEntry', title: 'HistoryEntry', description: 'A change of a guild.' });
export type HistoryEntry = z.infer<typeof HistoryEntry>;

export const HistoryPage = z.strictObject({
  entries: z.array(HistoryEntry).meta({ description: 'Changes, the newest first.' }),
});
export type HistoryPage = z.infer<typeof HistoryPage>;

export const HistoryInput = z.strictObject({
  ...GuildInput.shape,
  before: Revision.meta({ description: 'Only changes before this revision.' }).optional(),
  after: z.int().min(0).meta({ description: 'Only changes after this revision.' }).optional(),
  limit: z
    .int()
    .min(1)
    .max(LIMITS.historyEntries)
    .meta({ description: `Maximum number of entries; ${LIMITS.historyEntriesDefault} unless given.` })
    .optional(),
  actor: Snowflake.meta({ description: 'Only changes by this author.' }).optional(),
  field: ChangedField.meta({ description: 'Only changes of this field.' }).optional(),
  kind: ChangeKind.meta({ description: 'Only changes of this kind.' }).optional(),
});
export type HistoryInput = z.infer<typeof HistoryInput>;

export const ChangeInput = z.strictObject({
  ...GuildInput.shape,
  revision: Revision.meta({ description: 'The revision of the change.' }),
});

export const DryRun = z.boolean().meta({ description: 'Return the difference, and change nothing.' }).optional();

export const UndoInput = ChangeInput.extend({ dry_run: DryRun });

export const Restore = z
  .strictObject({
    revision: PointInTime.meta({ description: 'The revision to restore; 0: the defaults.' }),
  })
  .meta({ title: 'Restore', description: 'What to restore.' });

export const RestoreInput = Restore.extend({ ...GuildInput.shape, dry_run: DryRun });

export const GuildAtInput = GuildInput.extend({
  at: PointInTime.meta({ description: 'Read the record as it was at this revision, instead of now.' }).optional(),
  epoch: z
    .string()
    .max(EPOCH_MARK_LENGTH)
    .regex(EPOCH_MARK, `expected ${EPOCH_MARK_LENGTH} digits and lower-case letters`)
    .meta({
      description:
        'With `at`: the epoch of that revision, the first ten characters after the hyphen in its entity tag. If the revision was made in ' +
        'another one, as after the restore of a backup, the response is 404. With it, caches may keep the record.',
    })
    .optional(),
});

export const Difference = z
  .strictObject({
    revision: z.int().min(0).meta({
      description: 'The current revision of the guild. As If-Match, it applies exactly this difference or none.',
    }),
    changes: FieldChanges.meta({ description: 'The fields that would change. Empty: none.' }),
    skipped: z
      .array(SkippedField)
      .meta({ description: 'The settings that the restore skipped; absent: none.' })
      .optional(),
  })
  .meta({ id: 'Difference', title: 'Difference', description: 'What a dry run would change.' });
export type Difference = z.infer<typeof Difference>;

/** The result of an operation with a dry run: the record after the change, or the difference. */
export const GuildOrDifference = z.union([Guild, Difference]);
