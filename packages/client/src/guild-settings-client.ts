import type { Guild, WithCustom } from '@guild-settings/contract';
import type { CustomOf, Declaration, SettingValue } from '@guild-settings/contract/settings';
import type { TRPCClient } from '@trpc/client';
import type { AppRouter } from './app-router.ts';

type Client = TRPCClient<AppRouter>;

/**
 * The procedures of the service, with the types of the settings that a team declares. Calls throw errors that
 * `isGuildSettingsError` recognises.
 */
export type GuildSettingsClient<D extends Declaration | undefined = undefined> = Procedures<
  Omit<Client, 'guilds'>,
  D
> & { readonly guilds: Procedures<Omit<Client['guilds'], 'update'>, D> & { readonly update: Update<D> } };

/** The changes of the declared settings; `null` resets to the default. */
type Update<D extends Declaration | undefined> = {
  readonly mutate: Client['guilds']['update']['mutate'] extends (
    input: infer Input,
    ...options: infer Options
  ) => unknown
    ? (
        input: Omit<Input, 'custom'> & { custom?: CustomPatch<D> | undefined },
        ...options: Options
      ) => Promise<WithCustom<Guild, D>>
    : never;
};

type CustomPatch<D extends Declaration | undefined> = D extends Declaration
  ? { readonly [Name in keyof CustomOf<D>]?: CustomOf<D>[Name] | null | undefined }
  : Readonly<Record<string, SettingValue | null | undefined>>;

/** Procedures whose results have the declared settings in each record. Others are the same for every client. */
type Procedures<T, D extends Declaration | undefined> = D extends undefined ? T : ProceduresOf<T, D>;

type ProceduresOf<T, D extends Declaration | undefined> = {
  readonly [Name in keyof T]: T[Name] extends (...call: infer Call) => Promise<infer Result>
    ? Extract<Result, Guild> extends never
      ? T[Name]
      : (...call: Call) => Promise<Result extends Guild ? WithCustom<Guild, D> : Result>
    : T[Name] extends (...call: never) => unknown
      ? T[Name]
      : ProceduresOf<T[Name], D>;
};
