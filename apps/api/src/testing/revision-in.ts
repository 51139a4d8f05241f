import { versionIn } from '@guild-settings/contract';

type Answered = Pick<Response, 'headers'>;

/** Returns the revision in the entity tag of a response; NaN: it has none. */
export function revisionIn({ headers }: Answered): number {
  return versionIn(headers.get('etag') ?? '')?.revision ?? Number.NaN;
}

/** Returns the entity tag of a response without the epoch, which each service has its own of: `"7"`, `"7-1a2b3c4d"`. */
export function revisionTagIn({ headers }: Answered): string | null {
  const tag = headers.get('etag');
  const [, revision, declaration] = /^"(\d+)-[0-9a-z]{10}([0-9a-z]{8})?"$/.exec(tag ?? '') ?? [];
  if (revision === undefined) return tag;
  return declaration === undefined ? `"${revision}"` : `"${revision}-${declaration}"`;
}
