import { ProblemError, type Snowflake } from '@guild-settings/contract';
import { type ApplicationPrincipal, personOf, type UserPrincipal } from '../auth/principal.ts';
import type { Access, Caller } from './authorize.ts';

export const everyRequest: Access<object> = { isPublic: true, problems: [], grant: async () => ({}) };

export const anyCaller: Access<{ readonly caller: Caller }> = {
  problems: [],
  grant: async (caller) => ({ caller }),
};

export const applicationOnly: Access<{ readonly caller: Caller; readonly application: ApplicationPrincipal }> = {
  problems: ['application-only'],
  async grant(caller) {
    const { principal: application } = caller;
    if (application.kind !== 'application') throw new ProblemError('application-only');
    return { caller, application };
  },
};

export const userOnly: Access<{ readonly caller: Caller; readonly user: UserPrincipal }> = {
  problems: ['person-only'],
  grant: async (caller) => ({ caller, user: requireUser(caller) }),
};

export function requireUser({ principal }: Caller): UserPrincipal {
  if (principal.kind === 'user') return principal;
  throw new ProblemError('person-only', {
    detail: "Discord lists the guilds of a user to that user alone. Send a user's access token.",
  });
}

/** Grants a user, and the application on behalf of one: `personId` is the id of that user. */
export const person: Access<{ readonly personId: Snowflake }> = {
  problems: ['person-only'],
  async grant({ principal }) {
    const personId = personOf(principal);
    if (personId === undefined) throw new ProblemError('person-only');
    return { personId };
  },
};
