import { request } from 'node:http';
import { handleJobs } from './task.ts';

/** Opens the stream of a guild for each page, as browsers do. Returns how many are open, once each has received the record. */
export interface FollowJob {
  readonly url: string;
  readonly guild: string;
  /** The header `Cookie` of each page. */
  readonly cookies: readonly string[];
}

/** Opened at a time. */
const CONCURRENCY = 25;

let openStreams = 0;

handleJobs<FollowJob, number>(async ({ url, guild, cookies }) => {
  const input = new URLSearchParams({ input: JSON.stringify({ guild }) });
  const waiting = [...cookies];
  const open = async () => {
    for (let cookie = waiting.pop(); cookie !== undefined; cookie = waiting.pop()) {
      await follow(`${url}/trpc/guilds.follow?${input}`, cookie);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, open));
  return openStreams;
});

function follow(url: string, cookie: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, accept: 'text/event-stream', 'sec-fetch-site': 'same-origin' };
    const outgoing = request(url, { headers, agent: false });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      openStreams += 1;
      response.on('error', reject).on('close', () => {
        openStreams -= 1;
        reject(new Error(`A stream ended with the status ${response.statusCode}`));
      });
      response.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('"type":"guild"')) resolve();
      });
    });
    outgoing.end();
  });
}
