import { startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { connectTo } from '@guild-settings/testing/raw-http';
import { describe, expect, test } from 'vitest';

const PIPELINED = 5_000;
const REPEATED = 30;

const guild = `/guilds/${IDS.guild}`;

describe('requests that one connection sends without waiting for responses', () => {
  test.each(['/trpc/guilds.get', '/nowhere'])(
    'are served few at a time, so that those of another connection are served in between: %s',
    async (path) => {
      await using api = await startApi({ LOG_LEVEL: 'silent' });
      const other = await connectTo(api.url);
      const socket = await connectTo(api.url);
      let responses = 0;
      let end = '';
      let responsesBefore: number | undefined;
      const answered = new Promise<void>((resolve) => {
        other.once('data', () => {
          responsesBefore = responses;
          resolve();
        });
      });
      const all = new Promise<void>((resolve) => {
        socket.setEncoding('latin1').on('data', (chunk: string) => {
          if (responses === 0) other.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
          // A chunk may end within the start of a response.
          const text = end + chunk;
          responses += text.split('HTTP/1.1 ').length - 1;
          end = text.slice(1 - 'HTTP/1.1 '.length);
          if (responses === PIPELINED) resolve();
        });
      });
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(PIPELINED));
      await Promise.all([answered, all]);
      expect(responsesBefore).toBeLessThan(PIPELINED / 10);
      for (const one of [socket, other]) one.destroy();
    },
  );

  test.each([1, 10])(
    'are responded to in order, whatever they are: ten kinds on %i connections',
    async (connections) => {
      await using api = await startApi({ LOG_LEVEL: 'silent' });
      const kinds = kindsOf(api);
      const ids = Array.from({ length: REPEATED * kinds.length }, (_, index) => String(index));
      const received = await Promise.all(
        Array.from({ length: connections }, () =>
          exchangeAll(
            api.url,
            ids.map((id, index) => kinds[index % kinds.length]?.request(`X-Request-Id: ${id}\r\n`) ?? ''),
          ),
        ),
      );
      const expected = ids.map((id, index) => `${kinds[index % kinds.length]?.status} ${id}`);
      for (const one of received) expect(one).toEqual(expected);
    },
  );
});

interface Kind {
  readonly status: number;
  readonly request: (headers: string) => string;
}

function kindsOf({ tokens }: TestApi): Kind[] {
  const manager = `Authorization: Bearer ${tokens.manager}\r\n`;
  const kind = (status: number, line: string, headers = '', body?: string): Kind => ({
    status,
    request(more) {
      const length = body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
      return `${line} HTTP/1.1\r\nHost: x\r\n${headers}${more}${length}\r\n${body ?? ''}`;
    },
  });
  const input = encodeURIComponent(JSON.stringify({ guild: IDS.guild }));
  return [
    kind(200, `GET ${guild}`, manager),
    kind(401, `GET ${guild}`),
    kind(200, `PATCH ${guild}`, manager, '{"beta":true}'),
    kind(400, `PATCH ${guild}`, manager, '{"beta":'),
    kind(200, `HEAD ${guild}`, manager),
    kind(404, 'GET /nowhere'),
    kind(200, `GET /trpc/guilds.get?input=${input}`, manager),
    kind(401, `GET /trpc/guilds.get?input=${input}`),
    kind(204, `OPTIONS ${guild}`),
    kind(200, 'GET /healthz'),
  ];
}

/** Writes all requests at once, and returns the statuses and request ids of the responses in order. */
async function exchangeAll(url: string, requests: readonly string[]): Promise<string[]> {
  const socket = await connectTo(url);
  const last = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  socket.write(requests.join('') + last);
  let text = '';
  for await (const chunk of socket.setEncoding('latin1')) text += chunk;
  const heads = text.matchAll(/HTTP\/1\.1 (\d{3})[\s\S]*?\r\nx-request-id: (\S+)\r\n/gi);
  return [...heads].map(([, status, id]) => `${status} ${id}`).slice(0, requests.length);
}
