export { createGuildSettingsClient, type GuildSettingsClient, type GuildSettingsClientOptions } from './client.ts';
export { type ClientCredentialsOptions, clientCredentials } from './client-credentials.ts';
export { type WatchedEvent, WatchRefusedError } from './event-stream.ts';
export { hasProblem, isGuildSettingsError, problemOf, problemSlugOf } from './problem-of.ts';
export { type RequestOptions, withRequest } from './request-context.ts';
export { TokenError, type TokenFault } from './token-error.ts';
export type { TokenSource } from './token-source.ts';
export { DeadlineError, NetworkError, UnexpectedAnswerError } from './transport-errors.ts';
export { type WatchOptions, watch } from './watch.ts';
