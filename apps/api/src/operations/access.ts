import {
  EXPECTED,
  type GuildId,
  GuildInput,
  issuesOf,
  PROBLEMS,
  ProblemError,
  type Snowflake,
} from '@guild-settings/contract';
import type { OperationAccess } from '@guild-settings/contract/operations';
import type { OpenGuild } from '../auth/granted-access.ts';
import {
  type AccessLevel,
  authorizeOwner,
  type GuildAccess,
  managedBy,
  type OwnedGuild,
} from '../auth/guild-access.ts';
import type { CheckedPerson } from '../auth/member-roles.ts';
import { type ApplicationPrincipal, personOf, type UserPrincipal } from '../auth/principal.ts';
import type { StoredGuild } from '../store/guild-store.ts';
import type { Call } from './call.ts';
import { type Caller, checkedAgain } from './caller.ts';

/** The facts that an operation's handler may rely on, by the operation's access. */
export interface Grants {
  readonly public: object;
  readonly caller: { readonly caller: Caller };
  readonly user: { readonly caller: Caller; readonly user: UserPrincipal };
  readonly person: { readonly personId: Snowflake };
  readonly application: { readonly caller: Caller; readonly application: ApplicationPrincipal };
  readonly view: GrantedGuild<'view'>;
  readonly edit: GrantedGuild<'edit'>;
  readonly manage: GrantedGuild<'manage'>;
  readonly open: { readonly guild: OpenGuild };
  readonly owner: { readonly caller: Caller; readonly guild: OwnedGuild };
}

type Grant<Access extends OperationAccess> = (caller: Caller, call: Call) => Promise<Grants[Access]>;

/**
 * Returns the grant of a caller, by the operation's access. Throws a ProblemError for a caller without the permission.
 */
export const GRANT: { readonly [Access in Exclude<OperationAccess, 'public'>]: Grant<Access> } = {
  caller: async (caller) => ({ caller }),
  user: async (caller) => ({ caller, user: requireUser(caller) }),
  /** A user, or the application on behalf of a user: `personId` is the id of that user. */
  async person({ principal }) {
    const personId = personOf(principal);
    if (personId === undefined) throw new ProblemError('person-only');
    return { personId };
  },
  async application(caller) {
    const { principal: application } = caller;
    if (application.kind !== 'application') throw new ProblemError('application-only');
    return { caller, application };
  },
  view: guildAccess('view'),
  edit: guildAccess('edit'),
  manage: guildAccess('manage'),
  /** Users who have access to the guild, with their highest level. */
  async open(found, call) {
    requireUser(found);
    return authorizeCaller(call, found, { id: await guildIdOf(call), authorize: opener(call) });
  },
  /** An old check of a user's token is repeated: an erasure by a former owner could not be undone. */
  async owner(found, call) {
    const wanted = { id: await guildIdOf(call), authorize: ownerOf };
    const caller = found.principal.kind === 'user' ? await checkedAgain(call, found) : undefined;
    return authorizeCaller(call, caller ?? found, wanted);
  },
};

export function requireUser({ principal }: Caller): UserPrincipal {
  if (principal.kind === 'user') return principal;
  throw new ProblemError('person-only', {
    detail: "Discord lists the guilds of a user to that user alone. Send a user's access token.",
  });
}

/** A guild that the caller may use, and its stored state (null: nothing is stored). */
export interface GrantedGuild<Level extends AccessLevel = 'view'> {
  readonly caller: Caller;
  readonly guild: GuildAccess<Level>;
  readonly stored: StoredGuild | null;
}

/**
 * Grants access to the guild in the path while the bot is in it: to the application, managers, and people at this level
 * of the access list.
 */
function guildAccess<Level extends AccessLevel>(level: Level) {
  return async (found: Caller, call: Call): Promise<GrantedGuild<Level>> => {
    const wanted = { id: await guildIdOf(call), authorize: authorizerOf(call, level) };
    const { caller, guild } = await authorizeCaller(call, found, wanted);
    return { caller, guild, stored: await call.services.guilds.requireBot(guild) };
  };
}

async function guildIdOf(call: Call): Promise<GuildId> {
  const { data, error } = GuildInput.safeParse(await call.input(), EXPECTED);
  if (data === undefined) throw new ProblemError('invalid-request', { issues: issuesOf(error) });
  return data.guild;
}

export type AuthorizeGuild<Guild extends GuildAccess> = (caller: Caller, id: GuildId) => Guild | Promise<Guild>;

export function authorizerOf<Level extends AccessLevel>(call: Call, level: Level): AuthorizeGuild<GuildAccess<Level>> {
  return (caller, id) => {
    // The manager's access covers every level.
    const managed = managedBy(caller.principal, id) as GuildAccess<Level> | undefined;
    return managed ?? call.services.granted.authorize(level, checkedPerson(call, caller), id);
  };
}

export const ownerOf: AuthorizeGuild<OwnedGuild> = ({ principal }, id) => authorizeOwner(principal, id);

function opener(call: Call): AuthorizeGuild<OpenGuild> {
  return (caller, id) => {
    const managed = managedBy(caller.principal, id);
    return managed ? { ...managed, level: 'manager' } : call.services.granted.open(checkedPerson(call, caller), id);
  };
}

/** Returns what is needed to look up the roles of a caller who is a user. */
export function checkedPerson({ request }: Call, caller: Caller): CheckedPerson {
  return {
    principal: caller.principal as UserPrincipal,
    scope: caller.facts.scope,
    newerThanMs: caller.isCheckedAgain ? caller.checkedAtMs : Number.NEGATIVE_INFINITY,
    token: () => request.accessToken(),
    clientIp: () => request.clientIp(),
  };
}

/** A guild that a caller has requested, and the function that checks the caller's permission. */
export interface Wanted<Guild extends GuildAccess> {
  readonly id: GuildId;
  readonly authorize: AuthorizeGuild<Guild>;
}

/**
 * Authorizes a caller for a guild. Before a refusal, an old check of the token is repeated: the user may have created
 * or joined the guild since, or may have become its manager. While Discord is unavailable the refusal stands.
 * @throws ProblemError the refusal of `authorize`; invalid-token when the token was revoked since
 */
export async function authorizeCaller<Guild extends GuildAccess>(
  call: Call,
  caller: Caller,
  { id, authorize }: Wanted<Guild>,
): Promise<{ readonly caller: Caller; readonly guild: Guild }> {
  try {
    return { caller, guild: await authorize(caller, id) };
  } catch (refusal) {
    const isRefusal = refusal instanceof ProblemError && PROBLEMS[refusal.slug].status === 403;
    const renewed = isRefusal ? await checkedAgain(call, caller) : undefined;
    if (renewed === undefined) throw refusal;
    return { caller: renewed, guild: await authorize(renewed, id) };
  }
}
