import type { ZodType } from 'zod';
import { Guild } from '../guild.ts';
import { type Difference, GuildOrDifference } from '../history.ts';

/** The record, with the type that clients have: where settings are declared, it has `custom`. */
export const RecordOutput: ZodType<Guild> = Guild;

/** The record after a change; of a preview, the difference that it would make. */
export const RecordOrDifference: ZodType<Guild | Difference> = GuildOrDifference;
