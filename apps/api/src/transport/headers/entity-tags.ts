import { LIMITS } from '@guild-settings/contract';
import type { EntityTag, Precondition } from '../../domain/record.ts';
import { malformedHeader } from './malformed-header.ts';

export interface ConditionalHeaders {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

const TAG = /(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/y;
const EXPECTED = 'expected * or entity tags in double quotes, such as "7", as the ETag header gave them';

/** Empty list elements, which recipients ignore (RFC 9110, section 5.6.1). */
const EMPTY_ELEMENTS = /[ \t,]*/y;
const ANY_TAG = /\*[ \t,]*/y;
const SEPARATOR = /[ \t]*(?:,[ \t,]*|$)/y;

/**
 * Parses the conditions of a request.
 * @throws ProblemError invalid-request when a header is neither `*` nor a list of quoted entity tags
 */
export function readPrecondition(headers: ConditionalHeaders): Precondition | undefined {
  const ifMatch = readTags('If-Match', headers.ifMatch);
  const ifNoneMatch = readTags('If-None-Match', headers.ifNoneMatch);
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  return { ...(ifMatch && { ifMatch }), ...(ifNoneMatch && { ifNoneMatch }) };
}

function readTags(header: string, value: string | undefined): '*' | EntityTag[] | undefined {
  if (value === undefined) return undefined;
  if (value.length > LIMITS.conditionHeader) {
    throw malformedHeader(header, `expected at most ${LIMITS.conditionHeader} characters`);
  }
  const start = endOf(EMPTY_ELEMENTS, value, 0) ?? 0;
  if (endOf(ANY_TAG, value, start) === value.length) return '*';
  const tags: EntityTag[] = [];
  let at = start;
  while (at < value.length) {
    TAG.lastIndex = at;
    const match = TAG.exec(value);
    if (match === null) throw malformedHeader(header, EXPECTED);
    tags.push({ value: match[1] ?? '' });
    const end = endOf(SEPARATOR, value, TAG.lastIndex);
    if (end === undefined) throw malformedHeader(header, EXPECTED);
    at = end;
  }
  if (tags.length === 0) throw malformedHeader(header, EXPECTED);
  return tags;
}

/** Returns the end of a match that begins at an index, in linear time. undefined: no match. */
function endOf(pattern: RegExp, value: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(value) ? pattern.lastIndex : undefined;
}
