import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { text } from './text.ts';

/** Why somebody made a change, in their own words. */
export const AuditReason = text({ min: 1, max: LIMITS.reason });

/** Who made a change: a person, the application itself, or Discord (a rename, a kick). */
export const ActorKind = z.enum(['user', 'application', 'platform']);

/** Who made a change. */
export type ActorKind = z.infer<typeof ActorKind>;

/** By which way a change came in. `bot` is the application acting for a person. */
export const ChangeOrigin = z.enum(['rest', 'trpc', 'bot', 'platform', 'undo']);

/** By which way a change came in. */
export type ChangeOrigin = z.infer<typeof ChangeOrigin>;
