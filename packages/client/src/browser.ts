/** Parts of the client for pages, which need neither Node nor zod. */
export { type ReceivedArrival, type RequestOptions, requestHeaders, withRequest } from './request-context.ts';
export { nextBefore, readArrival, responseHeadersLink } from './response-headers.ts';
export { retryAfterSeconds } from './retry-after.ts';
export { sentProblem } from './sent-problem.ts';
