import type { FastifyRequest } from 'fastify';

/** The header with the id of the person for whom a page was opened. */
const HEADER = 'x-requested-for';

/** The parameter of the query with that id: an `EventSource` sends no headers of its own. */
const PARAMETER = 'requested-for';

/**
 * Returns true if a request may use the session of a person: false where its page was opened for another one, who was
 * logged in before.
 */
export function isRequestedFor({ headers, query }: FastifyRequest, userId: string): boolean {
  const { [PARAMETER]: parameter } = query as Readonly<Record<string, unknown>>;
  return [headers[HEADER], parameter].every((named) => named === undefined || named === userId);
}

/** Returns the query of a request without the parameter that is for the dashboard alone. */
export function forwardedQuery({ url }: FastifyRequest): string {
  const [, text = ''] = url.split('?', 2);
  const query = new URLSearchParams(text);
  query.delete(PARAMETER);
  return query.toString();
}
