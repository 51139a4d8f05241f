let userId: string | undefined;

/** Sets the id of the person who opened this page. The server refuses its requests once another person has logged in with the browser. */
export function requestFor(id: string): void {
  userId = id;
}

/** Returns the headers by which the server knows the requests of its page, and for whom the page was opened. */
export function pageHeaders(): Record<string, string> {
  return { 'x-requested-by': 'dashboard', ...(userId !== undefined && { 'x-requested-for': userId }) };
}

/** Returns the parameters of the query that say for whom the page was opened, for requests without headers of their own. */
export function pageParameters(): Record<string, string> {
  return userId === undefined ? {} : { 'requested-for': userId };
}
