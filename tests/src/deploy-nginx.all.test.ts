import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get as getPlain } from 'node:http';
import { connect } from 'node:http2';
import { Agent, request } from 'node:https';
import { HAS_IPV6, HAS_NGINX, type Nginx, prepareNginx, serveHttp, unreachableUrl } from '@guild-settings/testing';
import { describe, expect, test } from 'vitest';

/** Starts nginx before one server, which is dashboard and api. */
async function startNginx(respond: Parameters<typeof serveHttp>[0]) {
  const server = await serveHttp(respond);
  const nginx = await prepareNginx({ 3000: server.port, 3001: server.port, 3003: server.port });
  await nginx.start();
  return {
    ...nginx,
    async [Symbol.asyncDispose]() {
      await nginx[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

interface Sent {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly agent?: Agent;
}

/** Sends requests over TLS, without waiting for the bodies of their responses. Returns their statuses. */
async function statuses(
  { certificate }: Nginx,
  urls: readonly string[],
  { path = '/', headers = {}, agent }: Sent = {},
) {
  const ca = readFileSync(certificate);
  return Promise.all(
    urls.map(async (url) => {
      const sent = request(`${url}${path}`, { ca, headers, ...(agent && { agent }) }).end();
      const [response] = await once(sent, 'response');
      response.resume();
      return response.statusCode as number;
    }),
  );
}

const times = (count: number, url: string) => Array.from({ length: count }, () => url);

describe.skipIf(!HAS_NGINX)('nginx', () => {
  test.each(['127.0.0.1', ...(HAS_IPV6 ? ['[::1]'] : [])])(
    'serves both names over HTTP/2, and the redirect, at %s',
    async (host) => {
      await using nginx = await startNginx((_, response) => response.end('served'));
      for (const name of ['dashboard', 'api'] as const) {
        const session = connect(nginx.urls[name].replace('127.0.0.1', host), { ca: readFileSync(nginx.certificate) });
        const [headers] = await once(session.request({ ':authority': 'settings.example' }), 'response');
        expect(headers[':status'], name).toBe(200);
        session.destroy();
      }
      const [response] = await once(getPlain(`${nginx.urls.plain.replace('127.0.0.1', host)}/a?b`), 'response');
      expect([response.statusCode, response.headers.location]).toEqual([301, `https://${host}/a?b`]);
      response.resume();
    },
  );

  test.each([
    ['responds', serveHttp],
    ['is down', undefined],
  ])('has no code, state, query or Referer in its logs where the dashboard %s', async (_, start) => {
    await using dashboard = await start?.((_request, response) => response.end());
    const port = dashboard?.port ?? Number(new URL(await unreachableUrl()).port);
    await using nginx = await prepareNginx({ 3003: port });
    await nginx.start();
    const path = '/callback?code=hunter2-code&state=hunter2-state';
    // The page has no Referer, by its policy. That of another client is not in the access log either.
    const referer = dashboard && { referer: `https://settings.example${path}` };
    const basic = `Basic ${Buffer.from('hunter2:hunter2').toString('base64')}`;
    await statuses(nginx, [nginx.urls.dashboard], { path });
    await statuses(nginx, [nginx.urls.dashboard], {
      path: '/assets/a.js',
      headers: { ...referer, authorization: basic },
    });
    const [response] = await once(getPlain(`${nginx.urls.plain}${path}`), 'response');
    await response.resume().toArray();
    await expect.poll(() => nginx.log('access').match(/"GET \/callback HTTP\/1\.1" \d+/g)).toHaveLength(2);
    expect(nginx.log('access')).not.toContain('hunter2');
    if (dashboard !== undefined) return;
    expect(nginx.log('error')).toContain('"GET /assets/a.js HTTP/1.1"');
    expect(nginx.log('error')).not.toContain('hunter2');
  });

  test('limits requests with neither a token nor a session, and those alone', async () => {
    await using nginx = await startNginx((_, response) => response.end());
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    const { dashboard, api } = nginx.urls;
    expect(new Set(await statuses(nginx, times(500, dashboard), { agent }))).toEqual(new Set([200]));
    const more = await statuses(nginx, times(2_000, api), { agent });
    expect(new Set(more)).toEqual(new Set([200, 429]));
    for (const headers of [
      { authorization: 'Bearer a-token' },
      { cookie: '__Host-session=a' },
      { cookie: 'other=1; __Host-session=a' },
    ]) {
      expect(new Set(await statuses(nginx, times(200, dashboard), { agent, headers }))).toEqual(new Set([200]));
    }
    for (const cookie of ['__Host-session=', 'a__Host-session=1', 'theme=dark']) {
      expect(await statuses(nginx, times(200, dashboard), { agent, headers: { cookie } }), cookie).toContain(429);
    }
    agent.destroy();
  });

  test('has room for the streams of many people and bots behind one address, and an end', async () => {
    await using nginx = await startNginx((_, response) => response.write(': begun\n\n'));
    const agent = new Agent({ keepAlive: true });
    const headers = { authorization: 'Bearer a-token' };
    const { dashboard, api } = nginx.urls;
    const first = await statuses(nginx, [...times(250, dashboard), ...times(250, api)], { agent, headers });
    expect(new Set(first)).toEqual(new Set([200]));
    expect(new Set(await statuses(nginx, times(10, api), { agent, headers }))).toEqual(new Set([429]));
    agent.destroy();
  });
});
