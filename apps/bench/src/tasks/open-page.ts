import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { median } from '../statistics.ts';
import type { RecordedRequest } from './recorded-requests.ts';
import { handleJobs } from './task.ts';

/** Sends the requests of a page at the same time, again and again. */
export interface OpenJob {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly requests: readonly RecordedRequest[];
  readonly seconds: number;
}

/** As many connections to one origin as a browser has. */
const agent = new Agent({ keepAlive: true, maxSockets: 6 });

/** Returns the milliseconds from the first request until the end of the last response, at the median. */
handleJobs<OpenJob, number>(async ({ origin, headers, requests, seconds }) => {
  const times: number[] = [];
  const end = performance.now() + seconds * 1_000;
  do {
    const started = performance.now();
    await Promise.all(requests.map(({ path, accept }) => receive(`${origin}${path}`, { ...headers, accept })));
    times.push(performance.now() - started);
  } while (performance.now() < end);
  return median(times);
});

/** Receives a whole response; of a stream, its first event. */
async function receive(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const isStream = headers.accept === 'text/event-stream';
  const outgoing = request(url, { headers, agent: isStream ? false : agent }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`Expected 200 of ${url}, received ${response.statusCode}`);
  response.setEncoding('utf8');
  let text = '';
  for await (const part of response) {
    text += part;
    if (isStream && text.includes('"type":"guild"')) break;
  }
}
