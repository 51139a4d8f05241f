import { Snowflake } from '@guild-settings/contract';
import { malformedHeader } from '../problems/problem-from.ts';

/**
 * The person that the application says it acts for.
 * @throws ProblemError invalid-request when the header is not a user's id
 */
export function readOnBehalfOf(header: string | undefined): { readonly onBehalfOf?: Snowflake } {
  if (header === undefined) return {};
  const { data } = Snowflake.safeParse(header);
  if (data !== undefined) return { onBehalfOf: data };
  throw malformedHeader('X-On-Behalf-Of', "expected a user's id: 17 to 20 decimal digits");
}
