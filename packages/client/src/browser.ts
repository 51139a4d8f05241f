/** Parts of the client for pages, which need neither Node nor zod. */
export { nextBefore } from './history-cursor.ts';
export { type ReceivedArrival, readArrival } from './received-arrival.ts';
export { type RequestOptions, requestHeaders, withRequest } from './request-context.ts';
export { responseHeadersLink } from './response-headers-link.ts';
export { retryAfterSeconds } from './retry-after.ts';
export { sentProblem } from './sent-problem.ts';
