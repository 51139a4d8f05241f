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

/** What came of a change. */
export type ChangeOutcome =
  | { readonly kind: 'changed'; readonly before: GuildSettings; readonly after: GuildSettings }
  /** Nothing was changed: the service, or what it depends on, was not there. */
  | { readonly kind: 'unreachable' }
  /** It was sent, and no answer came. */
  | { readonly kind: 'unconfirmed' }
  /** Nothing was changed, and the service says why. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Changes guilds through the service, for the people who asked. */
export interface SettingsWriter {
  /**
   * Changes what the patch names.
   * @param manager who asked, and of which guild
   * @param reason kept with the change
   */
  change(manager: GuildManager, patch: Partial<GuildSettings>, reason: string): Promise<ChangeOutcome>;
}

/** Makes the writer of a client that acts as the application. */
export function settingsWriter(client: GuildSettingsClient): SettingsWriter {
  return {
    async change({ guildId: guild, userId: onBehalfOf }, patch, auditReason) {
      const before = await outcomeOf(() => client.guilds.get.query({ guild }));
      if (before.kind !== 'record') return before.kind === 'unconfirmed' ? { kind: 'unreachable' } : before;
      const after = await outcomeOf(() =>
        client.guilds.update.mutate({ guild, ...patch }, withRequest({ onBehalfOf, auditReason })),
      );
      if (after.kind !== 'record') return after;
      return { kind: 'changed', before: before.record, after: after.record };
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
    const mayHelpSoon = problem?.status === 429 && !hasProblem(error, 'change-log-full');
    if (problem !== undefined && problem.status < 500 && !mayHelpSoon) {
      return { kind: 'refused', reason: problem.detail };
    }
    const saysSo = mayHelpSoon || (problem?.status === 503 && !hasProblem(error, 'write-unconfirmed'));
    return saysSo || wasNotMade(error.cause) ? { kind: 'unreachable' } : { kind: 'unconfirmed' };
  }
}

/** No token, or no connection: nothing was sent. */
function wasNotMade(cause: unknown): boolean {
  return cause instanceof TokenError || (cause instanceof NetworkError && !cause.maybeSent);
}
