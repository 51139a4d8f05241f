import { ProblemError, type Snowflake } from '@guild-settings/contract';
import type { ApplicationPrincipal } from '../auth/principal.ts';
import type { Access, Caller } from './authorize.ts';

/** Grants everybody, without credentials. */
export const everybody: Access<object> = { isPublic: true, problems: [], grant: async () => ({}) };

/** Grants the application alone. */
export const applicationOnly: Access<{ readonly caller: Caller; readonly application: ApplicationPrincipal }> = {
  problems: ['application-only'],
  async grant(caller) {
    const { principal: application } = caller;
    if (application.kind !== 'application') throw new ProblemError('application-only');
    return { caller, application };
  },
};

/** Grants a user, and the application on behalf of one: `personId` is the id of that user. */
export const person: Access<{ readonly personId: Snowflake }> = {
  problems: ['person-only'],
  async grant({ principal }) {
    const personId = principal.kind === 'user' ? principal.userId : principal.onBehalfOf;
    if (personId === undefined) throw new ProblemError('person-only');
    return { personId };
  },
};
