import { HistoryPage, Problem } from '@guild-settings/contract';
import type { HistoryLine, Seen } from '../history.ts';
import { RESPONSE_TIMEOUT_MS, seenIn } from './clients.ts';

export interface HistoryParts {
  readonly lines: readonly HistoryLine[];
  readonly isWhole: boolean;
}

/** Reads the past of guilds at one api process over REST. What fails is not read: a fault may be active. */
export interface PastClient {
  /** Reads parts of a history, by their links; undefined: not even the first. */
  history(guild: string, parts: { readonly limit: number; readonly count: number }): Promise<HistoryParts | undefined>;
  /** Reads a record as it was: `unknown` when the service does not know the revision, undefined when it does not respond. */
  record(guild: string, at: number): Promise<Seen | 'unknown' | undefined>;
}

export function pastClient(url: string, token: string): PastClient {
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
    return { response, body: (await response.json()) as unknown };
  };
  return {
    async history(guild, { limit, count }) {
      const lines: HistoryLine[] = [];
      let path: string | undefined = `/guilds/${guild}/history?limit=${limit}`;
      for (let part = 0; part < count && path !== undefined; part += 1) {
        const read: Awaited<ReturnType<typeof get>> | undefined = await get(path).catch(() => undefined);
        if (read?.response.status !== 200) return part === 0 ? undefined : { lines, isWhole: false };
        for (const { revision, changes } of HistoryPage.parse(read.body).entries)
          lines.push({ revision, from: changes.prefix?.from, to: changes.prefix?.to });
        path = /<([^>]+)>; rel="next"/.exec(read.response.headers.get('link') ?? '')?.[1];
      }
      return { lines, isWhole: path === undefined };
    },
    async record(guild, at) {
      const read = await get(`/guilds/${guild}?at=${at}`).catch(() => undefined);
      if (read === undefined) return undefined;
      const { response, body } = read;
      if (Problem.safeParse(body).data?.type.endsWith('/revision-unknown')) return 'unknown';
      return response.status === 200 ? seenIn(body, response.headers.get('etag')) : undefined;
    },
  };
}
