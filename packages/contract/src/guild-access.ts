import { z } from 'zod';
import { GuildInput } from './guild-patch.ts';
import { LIMITS } from './limits.ts';
import { openEnum } from './open-enum.ts';

export const GRANTED_LEVELS = ['editor', 'viewer'] as const;
/** A level of an access list: an editor changes settings, a viewer reads them. */
export type GrantedLevel = (typeof GRANTED_LEVELS)[number];

/** The levels of access to a guild. Managers may do everything except erase the guild, which its owner may. */
export const GUILD_LEVELS = ['manager', ...GRANTED_LEVELS] as const;
export type GuildLevel = (typeof GUILD_LEVELS)[number];

const SUBJECT = /^(role|user):[0-9]{17,20}$/;

/** The subject of an entry: `role:` and the id of a role, or `user:` and the id of a user. */
export const AccessSubject = z
  .string('expected "role:ID" or "user:ID"')
  .regex(SUBJECT, 'expected "role:ID" or "user:ID", with the id of a role of the guild or of a user')
  .meta({
    description: 'The members with a role (`role:ID`), or one user (`user:ID`).',
    maxLength: 25,
    examples: ['role:197038439483310099'],
  });
export type AccessSubject = z.infer<typeof AccessSubject>;

export const AccessEntry = z
  .strictObject({
    subject: AccessSubject,
    level: z.enum(GRANTED_LEVELS, 'expected "editor" or "viewer"').meta({
      description:
        'An editor changes, undoes, restores and imports settings. A viewer reads settings and their history.',
    }),
  })
  .meta({ id: 'AccessEntry', title: 'AccessEntry', description: 'Grants access to a role or a user.' });
export type AccessEntry = z.infer<typeof AccessEntry>;

/** The access list of a guild: the people besides its managers who may read or change its settings. */
export const GuildAccessList = z
  .strictObject({
    entries: z
      .array(AccessEntry, 'expected an array of entries')
      .max(LIMITS.accessEntries, `expected at most ${LIMITS.accessEntries} entries`)
      .superRefine((entries, context) => {
        const seen = new Set<string>();
        for (const [index, { subject }] of entries.entries()) {
          if (seen.has(subject))
            context.addIssue({ code: 'custom', path: [index, 'subject'], message: 'expected each subject once' });
          seen.add(subject);
        }
      })
      .meta({ description: 'The entries, each subject once.' }),
  })
  .meta({
    id: 'GuildAccessList',
    title: 'GuildAccessList',
    description: 'The people besides managers who may read or change the settings of a guild.',
  });
export type GuildAccessList = z.infer<typeof GuildAccessList>;

/** The access list in responses. Later versions may have more levels. */
export const ServedAccessList = z
  .strictObject({
    entries: z
      .array(z.strictObject({ subject: AccessSubject, level: openEnum(GRANTED_LEVELS, 'What the subject may do.') }))
      .meta({ description: 'The entries. An entry of a deleted role grants no access.' }),
  })
  .meta({
    id: 'ServedAccessList',
    title: 'ServedAccessList',
    description: 'The people besides managers who have access.',
  });
export type ServedAccessList = z.infer<typeof ServedAccessList>;

export const AccessListInput = GuildAccessList.extend(GuildInput.shape);

export const roleSubject = (id: string): AccessSubject => `role:${id}`;

export const userSubject = (id: string): AccessSubject => `user:${id}`;
