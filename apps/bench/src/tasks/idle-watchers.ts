import { request } from 'node:http';
import { handleJobs } from './task.ts';

/** Opens watches of the service, which stay open, and waits until each is live. */
export interface IdleJob {
  readonly url: string;
  readonly token: string;
  readonly watchers: number;
}

/** Opened at a time, so that none waits longer than the server's request timeout. */
const CONCURRENCY = 50;

handleJobs<IdleJob, number>(async ({ url, token, watchers }) => {
  for (let open = 0; open < watchers; open += CONCURRENCY) {
    const opening = Array.from({ length: Math.min(CONCURRENCY, watchers - open) }, () =>
      watch(`${url}/trpc/guilds.watch?input=%7B%7D`, token),
    );
    await Promise.all(opening);
  }
  return watchers;
});

function watch(url: string, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers: { authorization: `Bearer ${token}` }, agent: false });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      response.on('error', reject).on('end', () => reject(new Error(`a watch ended with ${response.statusCode}`)));
      response.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('"type":"live"')) resolve();
      });
    });
    outgoing.end();
  });
}
