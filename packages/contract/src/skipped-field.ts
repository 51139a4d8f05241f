import { z } from 'zod';

/** The reasons for which a field of a document is not imported. More may be added. */
export const SKIP_REASONS = ['other-guild', 'unknown-field', 'access', 'history'] as const;
/** A reason for which an import or a restore leaves a value alone. */
export type SkipReason = (typeof SKIP_REASONS)[number] | 'reserved' | 'invalid';

export const SkippedField = z
  .strictObject({
    field: z
      .string()
      .meta({ description: 'The name of the field.', maxLength: 128, examples: ['announcement_channel'] }),
    pointer: z.string().meta({
      description: 'Its place in the document (RFC 6901).',
      maxLength: 256,
      examples: ['/settings/announcement_channel'],
    }),
    value: z.unknown().meta({ description: 'Its value; absent for a history and an access list.' }).optional(),
    reason: z.string().meta({
      description:
        '`other-guild`: it belongs to the guild that was exported. `unknown-field`: this version does not know it. ' +
        '`access`: who is let in is not imported. `history`: changes are not imported.',
      maxLength: 64,
      examples: [...SKIP_REASONS],
    }),
    detail: z.string().meta({ description: 'The reason as a sentence.', maxLength: 512 }),
  })
  .meta({ id: 'SkippedField', description: 'A field that was not imported.' });
export type SkippedField = z.infer<typeof SkippedField>;
