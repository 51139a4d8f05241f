import type { ReplyFacts } from '../../operations/call.ts';
import { entityTag } from './entity-tags.ts';

/**
 * What a procedure told beside its result, as headers.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
export function replyHeaders({ revision, rateLimit }: ReplyFacts): Record<string, string> {
  return {
    ...(revision !== undefined && { etag: entityTag(revision) }),
    ...(rateLimit && {
      'ratelimit-policy': `"principal";q=${rateLimit.limit};w=${rateLimit.window}`,
      ratelimit: `"principal";r=${rateLimit.remaining};t=${rateLimit.reset}`,
    }),
  };
}
