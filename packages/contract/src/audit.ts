import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { text } from './text.ts';

/** The reason of a change, written by its author. */
export const AuditReason = text({ min: 1, max: LIMITS.reason });

/** The author of a change: a user, the application itself, or Discord (a rename, a kick). */
export const ActorKind = z.enum(['user', 'application', 'platform']);
export type ActorKind = z.infer<typeof ActorKind>;

/** The way of a change: its transport, `bot` for the application on behalf of a user, or the operation that made it. */
export const ChangeOrigin = z.enum(['rest', 'trpc', 'bot', 'platform', 'undo', 'restore', 'import']);
export type ChangeOrigin = z.infer<typeof ChangeOrigin>;
