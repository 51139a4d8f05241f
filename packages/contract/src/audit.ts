import { LIMITS } from './limits.ts';
import { text } from './text.ts';

/** The reason of a change, written by its author. */
export const AuditReason = text({ min: 1, max: LIMITS.reason });

export const ACTOR_KINDS = ['user', 'application', 'platform'] as const;
/** The kind of author of a change. */
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** The way of a change: its transport, `bot` for the application on behalf of a user, or the operation that made it. */
export const CHANGE_ORIGINS = ['rest', 'trpc', 'bot', 'platform', 'undo', 'restore', 'import'] as const;
export type ChangeOrigin = (typeof CHANGE_ORIGINS)[number];
