import { request } from 'node:http';
import { answerJobs } from './task.ts';

/** Opens so many watches of the service, which stay open, and waits until each is live. */
export interface IdleJob {
  readonly url: string;
  readonly token: string;
  readonly watchers: number;
}

/** Opened together, so that none waits for its turn longer than a server has patience. */
const AT_ONCE = 50;

answerJobs<IdleJob, number>(async ({ url, token, watchers }) => {
  for (let open = 0; open < watchers; open += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, watchers - open) }, () =>
      watch(`${url}/trpc/guilds.watch?input=%7B%7D`, token),
    );
    await Promise.all(some);
  }
  return watchers;
});

function watch(url: string, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { authorization: `Bearer ${token}` }, agent: false });
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.on('error', reject).on('end', () => reject(new Error(`a watch ended with ${response.statusCode}`)));
      response.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('"type":"live"')) resolve();
      });
    });
    sent.end();
  });
}
