import type { Acknowledged } from './load.ts';
import { request, revisionIn } from './world.ts';

/**
 * Returns the changes in the histories of some guilds, in the order of revisions.
 * @throws Error for a guild whose record is not that of its last change
 */
export async function storedWrites(url: string, guilds: ReadonlySet<string>): Promise<Acknowledged[]> {
  const stored: Acknowledged[] = [];
  for (const guild of guilds) {
    const history = await historyOf(url, guild);
    const { body, response } = await request(`${url}/guilds/${guild}`);
    const { prefix, revision } = history[0] ?? {};
    if (body.prefix !== prefix || revisionIn(response.headers.get('etag')) !== revision) {
      throw new Error(`Expected ${prefix} at revision ${revision} in the record of ${guild}, received ${body.prefix}`);
    }
    stored.push(...history);
  }
  return byRevision(stored);
}

/** Returns changes in the order of revisions. */
export function byRevision(writes: readonly Acknowledged[]): Acknowledged[] {
  return [...writes].sort((one, other) => one.revision - other.revision);
}

interface Entry {
  readonly revision: number;
  readonly changes: Readonly<Record<string, { readonly to: unknown }>>;
}

/** Returns the changes of a guild, the newest first. */
async function historyOf(url: string, guild: string): Promise<Acknowledged[]> {
  const writes: Acknowledged[] = [];
  for (let path: string | undefined = `/guilds/${guild}/history`; path !== undefined; ) {
    const { body, response } = await request(`${url}${path}`);
    for (const { revision, changes } of body.entries as readonly Entry[]) {
      writes.push({ guild, prefix: String(changes.prefix?.to), revision });
    }
    path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return writes;
}
