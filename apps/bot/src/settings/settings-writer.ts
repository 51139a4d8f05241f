import {
  type GuildSettingsClient,
  hasProblem,
  isGuildSettingsError,
  NetworkError,
  problemOf,
  TokenError,
  withRequest,
} from '@guild-settings/client';
import type { GuildId, GuildSettings, Snowflake } from '@guild-settings/contract';

declare const isManager: unique symbol;

/** A user who may change a guild. Only the guard `requireManager` makes one. */
export interface GuildManager {
  readonly guildId: GuildId;
  readonly userId: Snowflake;
  readonly [isManager]: true;
}

/** Result of a change. */
export type ChangeOutcome =
  | { readonly kind: 'changed'; readonly before: GuildSettings; readonly after: GuildSettings }
  /** Nothing was changed: the service, or Discord behind it, could not be reached. */
  | { readonly kind: 'unreachable' }
  /** The request was sent and no response came. */
  | { readonly kind: 'unconfirmed' }
  /** Nothing was changed, for a reason of the service. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Changes settings through the service, on behalf of a manager. */
export type SettingsWriter = ReturnType<typeof settingsWriter>;

/** Returns a writer that uses a client with the application's token. */
export function settingsWriter(client: GuildSettingsClient) {
  return {
    /**
     * Changes the settings in a patch.
     * @param manager the user that the change is made for, and the guild
     * @param auditReason stored with the change
     */
    async change(
      { guildId: guild, userId: onBehalfOf }: GuildManager,
      patch: Partial<GuildSettings>,
      auditReason: string,
    ): Promise<ChangeOutcome> {
      const before = await outcomeOf(() => client.guilds.get.query({ guild }));
      if (before.kind !== 'record') return before.kind === 'unconfirmed' ? { kind: 'unreachable' } : before;
      const after = await outcomeOf(() =>
        client.guilds.update.mutate({ guild, ...patch }, withRequest({ onBehalfOf, auditReason })),
      );
      return after.kind === 'record' ? { kind: 'changed', before: before.record, after: after.record } : after;
    },
  };
}

type CallOutcome =
  | { readonly kind: 'record'; readonly record: GuildSettings }
  | Exclude<ChangeOutcome, { kind: 'changed' }>;

async function outcomeOf(call: () => Promise<GuildSettings>): Promise<CallOutcome> {
  try {
    return { kind: 'record', record: await call() };
  } catch (error) {
    if (!isGuildSettingsError(error)) throw error;
    const problem = problemOf(error);
    const isTemporary = problem?.status === 429 && !hasProblem(error, 'change-log-full');
    if (problem !== undefined && problem.status < 500 && !isTemporary) {
      return { kind: 'refused', reason: problem.detail };
    }
    const isUnavailable = isTemporary || (problem?.status === 503 && !hasProblem(error, 'write-unconfirmed'));
    return isUnavailable || wasNotSent(error.cause) ? { kind: 'unreachable' } : { kind: 'unconfirmed' };
  }
}

/** Whether no request was sent, for lack of a token or a connection. */
function wasNotSent(cause: unknown): boolean {
  return cause instanceof TokenError || (cause instanceof NetworkError && !cause.maybeSent);
}
