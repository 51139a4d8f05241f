import type { TRPCProcedureOptions } from '@trpc/client';

/** A guild that the caller manages. */
export interface UserGuild {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly owner: boolean;
  /** A bit set as a decimal string. */
  readonly permissions: string;
  /** `null`: the bot has not reported yet. */
  readonly botPresent: boolean | null;
}

/** The application of the bot. */
export interface Application {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly inviteUrl: string;
}

interface Query<Input, Output> {
  query(input: Input, options?: TRPCProcedureOptions): Promise<Output>;
}

/** A channel of a guild, as the bot sees it. */
export interface GuildChannel {
  readonly id: string;
  readonly type: number;
  readonly name: string;
  readonly position: number;
  readonly parent_id: string | null;
  readonly botCanPost: boolean;
  readonly missing: readonly string[];
}

/** Something that the bot can do, with texts in five languages. */
export interface Feature {
  readonly name: string;
  readonly beta: boolean;
  readonly names: Readonly<Record<string, string>>;
  readonly descriptions: Readonly<Record<string, string>>;
}

/** Procedures that the type of the router does not have yet. */
export interface AwaitedProcedures {
  readonly users: { readonly guilds: Query<undefined, readonly UserGuild[]> };
  readonly application: { readonly get: Query<undefined, Application> };
  readonly features: { readonly list: Query<undefined, readonly Feature[]> };
  readonly guilds: { readonly channels: Query<{ readonly guild: string }, readonly GuildChannel[]> };
}
