import { z } from 'zod';
import { LANGUAGES } from './languages.ts';
import { LIMITS } from './limits.ts';
import { openEnum } from './open-enum.ts';
import { GuildId } from './snowflake.ts';
import { text } from './text.ts';

const LANGUAGE_DESCRIPTION = "The language of the bot's answers.";

/** The settings of a guild as requests set them: prefix, announcement channel, beta, language and features. */
export const GuildSettings = z.object({
  prefix: prefix({ noInvisible: true }),
  announcement_channel: text({
    max: LIMITS.announcementChannel,
    description: 'Channel identifier for announcements. Empty means none.',
  }).meta({ examples: ['381870553235193857', ''] }),
  beta: z.boolean().meta({ description: 'Whether beta features are on.', examples: [false] }),
  language: z.enum(LANGUAGES).meta({ description: LANGUAGE_DESCRIPTION, examples: ['en-US'] }),
  enabledFeatures: features({ noInvisible: true }),
});
export type GuildSettings = z.infer<typeof GuildSettings>;

/**
 * The settings of a guild in responses and events: those of {@link GuildSettings}, with languages that a later version has
 * added, and with invisible characters, which may be stored.
 */
export const RecordSettings = GuildSettings.extend({
  prefix: prefix({ noInvisible: false }),
  language: openEnum(LANGUAGES, LANGUAGE_DESCRIPTION),
  enabledFeatures: features({ noInvisible: false }),
});
export type RecordSettings = z.infer<typeof RecordSettings>;

interface NameRules {
  /** Whether invisible characters are refused: in requests, but not in what may be stored already. */
  readonly noInvisible: boolean;
}

function prefix({ noInvisible }: NameRules) {
  const description = 'Command prefix. Empty switches prefix commands off.';
  return text({ max: LIMITS.prefix, noLeadingSpace: true, noInvisible, description }).meta({ examples: ['!', '?'] });
}

function features(rules: NameRules) {
  return z
    .array(featureName(rules))
    .max(LIMITS.features, `expected at most ${LIMITS.features} names`)
    .meta({
      description: 'Names of enabled features. Replaced whole on PATCH; duplicates are dropped, the order is kept.',
      examples: [['reminders']],
    });
}

/** Makes the schema of the name of a feature. */
export function featureName(options: NameRules & { readonly description?: string }) {
  return text({ min: 1, max: LIMITS.featureName, ...options });
}

/** The settings of a guild without changes. The service applies them, never a schema. */
export const DEFAULT_SETTINGS: Readonly<GuildSettings> = Object.freeze({
  prefix: '!',
  announcement_channel: '',
  beta: false,
  language: 'en-US',
  enabledFeatures: [],
});

/** Length of Discord's texts for the OpenAPI document, more than twice what Discord allows. The service does not enforce it. */
const PROFILE_LENGTH = 256;

/** The name and the icon's hash of a guild. Discord owns these fields, and the service only copies them. */
export const GuildProfile = z.object({
  name: z.string().meta({
    description: "The guild's name. Discord owns it: accepted on PATCH and ignored.",
    maxLength: PROFILE_LENGTH,
    examples: ['Discord Testers'],
  }),
  icon: z
    .string()
    .nullable()
    .meta({
      description: "The guild's icon hash, or null. Discord owns it: accepted on PATCH and ignored.",
      maxLength: PROFILE_LENGTH,
      examples: ['f64c482b807da4f539cff778d174971c'],
    }),
});
export type GuildProfile = z.infer<typeof GuildProfile>;

/** The record of a guild in responses and events: eight fields, all present, in this order. */
export const Guild = z
  .strictObject({
    id: GuildId,
    name: GuildProfile.shape.name.meta({ readOnly: true }),
    icon: GuildProfile.shape.icon.meta({ readOnly: true }),
    ...RecordSettings.shape,
  })
  .meta({ id: 'Guild', title: 'Guild', description: 'A guild and its settings.' });
export type Guild = z.infer<typeof Guild>;
