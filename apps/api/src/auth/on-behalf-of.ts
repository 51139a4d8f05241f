import { ProblemError, Snowflake } from '@guild-settings/contract';

const HEADER = 'X-On-Behalf-Of';

/**
 * The person that the application says it acts for.
 * @throws ProblemError invalid-request when the header is not a user's id
 */
export function readOnBehalfOf(header: string | undefined): { readonly onBehalfOf?: Snowflake } {
  if (header === undefined) return {};
  const { data } = Snowflake.safeParse(header);
  if (data !== undefined) return { onBehalfOf: data };
  const message = "expected a user's id: 17 to 20 decimal digits";
  throw new ProblemError('invalid-request', {
    detail: `The header ${HEADER} is malformed: ${message}.`,
    issues: [{ path: [HEADER], pointer: `/${HEADER}`, message }],
  });
}
