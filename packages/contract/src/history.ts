import { z } from 'zod';
import { ActorKind, ChangeOrigin } from './audit.ts';
import { Guild } from './guild.ts';
import { GuildInput } from './guild-patch.ts';
import { LIMITS } from './limits.ts';
import { Snowflake } from './snowflake.ts';

/** The number of a change, in the order of commits. */
const Revision = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/** The kind of a change: of settings, by a manager or the application, or of what Discord owns (a rename, a join, a kick). */
export const ChangeKind = z.enum(['settings', 'platform']);
export type ChangeKind = z.infer<typeof ChangeKind>;

/** The fields that a change can be about. */
export const ChangedField = z.enum([
  'prefix',
  'announcement_channel',
  'beta',
  'language',
  'enabledFeatures',
  'name',
  'icon',
  'presence',
]);
export type ChangedField = z.infer<typeof ChangedField>;

/** A value of a field before and after a change. */
export const FieldChange = z.object({
  from: z.unknown().meta({ description: 'The value before.' }),
  to: z.unknown().meta({ description: 'The value after.' }),
});
export type FieldChange = z.infer<typeof FieldChange>;

/** The changed fields, by name. */
export const FieldChanges = z.record(z.string(), FieldChange);
export type FieldChanges = z.infer<typeof FieldChanges>;

/** The author of a change. */
export const Actor = z.object({
  kind: ActorKind,
  id: z.string().nullable().meta({ description: "The author's Discord id; null: the person had it erased." }),
});
export type Actor = z.infer<typeof Actor>;

/** One change of a guild, as the change log records it. */
export const HistoryEntry = z
  .object({
    revision: Revision.meta({ description: 'The revision that the change made.', examples: [42] }),
    at: z.iso.datetime().meta({ description: 'When it was made (RFC 3339).', examples: ['2026-11-22T08:00:00.000Z'] }),
    kind: ChangeKind,
    actor: Actor,
    origin: ChangeOrigin.meta({ description: 'The way by which it came.' }),
    reason: z.string().nullable().meta({ description: 'The reason that its author wrote.' }),
    changes: FieldChanges.meta({ description: 'The changed fields.' }),
    undoes: Revision.optional().meta({ description: 'The change that this one undid.' }),
    restores: Revision.optional().meta({ description: 'The revision whose settings this change put back.' }),
    undoneBy: Revision.optional().meta({ description: 'The newest change that undid this one.' }),
  })
  .meta({ id: 'HistoryEntry', title: 'HistoryEntry', description: 'A change of a guild.' });
export type HistoryEntry = z.infer<typeof HistoryEntry>;

/** A part of the history of a guild. */
export const HistoryPage = z.object({
  entries: z.array(HistoryEntry).meta({ description: 'Changes, the newest first.' }),
});
export type HistoryPage = z.infer<typeof HistoryPage>;

/** The input of reading the history of a guild. */
export const HistoryInput = z.strictObject({
  ...GuildInput.shape,
  before: Revision.optional().meta({ description: 'Only changes before this revision.' }),
  after: z.int().min(0).optional().meta({ description: 'Only changes after this revision.' }),
  limit: z
    .int()
    .min(1)
    .max(LIMITS.historyEntries)
    .optional()
    .meta({ description: `Maximum number of entries; ${LIMITS.historyEntriesDefault} unless given.` }),
  actor: Snowflake.optional().meta({ description: 'Only changes by this author.' }),
  field: ChangedField.optional().meta({ description: 'Only changes of this field.' }),
  kind: ChangeKind.optional().meta({ description: 'Only changes of this kind.' }),
});
export type HistoryInput = z.infer<typeof HistoryInput>;

/** The input of an operation on one change of a guild. */
export const ChangeInput = z.strictObject({
  ...GuildInput.shape,
  revision: Revision.meta({ description: 'The revision of the change.' }),
});

/** Whether to return the difference instead of making it. */
export const DryRun = z.boolean().optional().meta({ description: 'Return the difference, and change nothing.' });

/** The input of undoing a change. */
export const UndoInput = ChangeInput.extend({ dry_run: DryRun });

/** The body of a restore. */
export const Restore = z
  .strictObject({ revision: Revision.meta({ description: 'The revision whose settings are put back.' }) })
  .meta({ title: 'Restore', description: 'What to restore.' });

/** The input of a restore. */
export const RestoreInput = Restore.extend({ ...GuildInput.shape, dry_run: DryRun });

/** The input of reading a record, now or as it was. */
export const GuildAtInput = GuildInput.extend({
  at: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional().meta({
    description: 'Read the record as it was at this revision, instead of now.',
  }),
});

/** The difference that a dry run would make. */
export const Difference = z
  .object({ changes: FieldChanges.meta({ description: 'The fields that would change. Empty: nothing would.' }) })
  .meta({ id: 'Difference', title: 'Difference', description: 'What a dry run would change.' });
export type Difference = z.infer<typeof Difference>;

/** The result of an operation with a dry run: the record after the change, or the difference. */
export const GuildOrDifference = z.union([Guild, Difference]);
