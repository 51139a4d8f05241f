import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get as getPlain, type ServerResponse } from 'node:http';
import { connect } from 'node:http2';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { HAS_IPV6, HAS_NGINX, type Nginx, prepareNginx, serveHttp, unreachableUrl } from '@guild-settings/testing';
import { describe, expect, test } from 'vitest';

async function startNginx(respond: Parameters<typeof serveHttp>[0]) {
  const server = await serveHttp(respond);
  const nginx = await prepareNginx({ 3000: server.port, 3001: server.port });
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

/** Sends requests over TLS without waiting for the response bodies. Returns their statuses. */
async function statuses({ certificate, urls }: Nginx, count: number, { path = '/', headers = {}, agent }: Sent = {}) {
  const ca = readFileSync(certificate);
  return Promise.all(
    Array.from({ length: count }, async () => {
      const sent = request(`${urls.service}${path}`, { ca, headers, ...(agent && { agent }) }).end();
      const [response] = await once(sent, 'response');
      response.resume();
      return response.statusCode as number;
    }),
  );
}

describe.skipIf(!HAS_NGINX)('nginx', () => {
  test.each(['127.0.0.1', ...(HAS_IPV6 ? ['[::1]'] : [])])(
    'serves the name over HTTP/2, and the redirect, at %s',
    async (host) => {
      await using nginx = await startNginx((received, response) => response.end(received.headers.host));
      const { plain, service } = nginx.urls;
      const session = connect(service.replace('127.0.0.1', host), { ca: readFileSync(nginx.certificate) });
      const stream = session.request({ ':authority': 'settings.example' });
      const [headers] = await once(stream, 'response');
      expect(headers[':status']).toBe(200);
      expect(await text(stream)).toBe('settings.example');
      session.destroy();
      const [response] = await once(getPlain(`${plain.replace('127.0.0.1', host)}/a?b`), 'response');
      expect([response.statusCode, response.headers.location]).toEqual([301, `https://${host}/a?b`]);
      response.resume();
    },
  );

  test('passes the host and the address of the client on, and not what the client says they are', async () => {
    await using nginx = await startNginx(({ headers }, response) => {
      response.end(JSON.stringify([headers.host, headers['x-forwarded-host'], headers['x-forwarded-for']]));
    });
    const headers = { host: 'settings.example', 'x-forwarded-host': 'other.example', 'x-forwarded-for': '192.0.2.1' };
    const sent = request(nginx.urls.service, { ca: readFileSync(nginx.certificate), headers }).end();
    const [response] = await once(sent, 'response');
    expect(JSON.parse(await text(response))).toEqual(['settings.example', 'settings.example', '192.0.2.1, 127.0.0.1']);
  });

  test.each([
    ['responds', serveHttp],
    ['is down', undefined],
  ])('has no code, state, person, query or Referer in its logs where the api %s', async (_, start) => {
    await using api = await start?.((_request, response) => response.end());
    const port = api?.port ?? Number(new URL(await unreachableUrl()).port);
    await using nginx = await prepareNginx({ 3000: port, 3001: port });
    await nginx.start();
    const path = '/callback?code=hunter2-code&state=hunter2-state';
    // The page sends no Referer because of its policy. The Referer of other clients is not in the access log either.
    const referer = api && { referer: `https://settings.example${path}` };
    const basic = `Basic ${Buffer.from('hunter2:hunter2').toString('base64')}`;
    const ofPerson = ['/trpc/guilds.follow?requested-for=hunter2', '/sessions?requested-for=hunter2'];
    for (const one of [path, ...ofPerson]) await statuses(nginx, 1, { path: one });
    await statuses(nginx, 1, { path: '/assets/a.js', headers: { ...referer, authorization: basic } });
    const [response] = await once(getPlain(`${nginx.urls.plain}${path}`), 'response');
    await response.resume().toArray();
    await expect.poll(() => nginx.log('access').match(/"GET \/callback HTTP\/1\.1" \d+/g)).toHaveLength(2);
    expect(nginx.log('access')).toContain('"GET /trpc/guilds.follow HTTP/1.1"');
    expect(nginx.log('access')).not.toContain('hunter2');
    if (api !== undefined) return;
    expect(nginx.log('error')).toContain('"GET /assets/a.js HTTP/1.1"');
    expect(nginx.log('error')).not.toContain('hunter2');
  });

  test.each(['/trpc/guilds.watch', '/trpc/guilds.follow', '/guilds/1/events'])(
    'passes each event of %s on at once',
    async (path) => {
      const open = Promise.withResolvers<ServerResponse>();
      await using nginx = await startNginx((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        open.resolve(response);
      });
      const soon = { signal: AbortSignal.timeout(10_000) };
      const sent = request(`${nginx.urls.service}${path}`, { ca: readFileSync(nginx.certificate), ...soon }).end();
      const [response] = await once(sent, 'response', soon);
      const stream = await open.promise;
      for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
        stream.write(event);
        const [received] = await once(response, 'data', soon);
        expect(String(received)).toBe(event);
      }
      sent.destroy();
    },
  );

  test('limits requests with neither a token nor a session, and those alone', async () => {
    await using nginx = await startNginx((_, response) => response.end());
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    /** Sends requests until one of them is refused, because a slow machine needs more time to exceed the limit. */
    const expectLimited = async (sent: Sent) => {
      let received: number[] = [];
      for (let sets = 0; sets < 20 && !received.includes(429); sets += 1) {
        received = await statuses(nginx, 200, { ...sent, agent });
      }
      expect(new Set([200, ...received]), JSON.stringify(sent)).toEqual(new Set([200, 429]));
    };
    expect(new Set(await statuses(nginx, 500, { agent }))).toEqual(new Set([200]));
    for (const cookie of ['__Host-session=', 'a__Host-session=1', 'theme=dark']) {
      await expectLimited({ headers: { cookie } });
    }
    for (const headers of [
      { authorization: 'Bearer a-token' },
      { cookie: '__Host-session=a' },
      { cookie: 'other=1; __Host-session=a' },
    ]) {
      await expectLimited({});
      for (const path of ['/', '/trpc/users.guilds', '/guilds/1']) {
        const received = await statuses(nginx, 200, { path, agent, headers });
        expect(new Set(received), path).toEqual(new Set([200]));
      }
      // Files of the page and logins need no credentials, so invented ones must not bypass the limit.
      for (const path of ['/assets/a.js', '/login', '/callback?code=a']) await expectLimited({ path, headers });
    }
    agent.destroy();
  });

  test('has room for the streams of many people and bots behind one address, and an end', async () => {
    await using nginx = await startNginx((_, response) => response.write(': begun\n\n'));
    const agent = new Agent({ keepAlive: true });
    const headers = { authorization: 'Bearer a-token' };
    expect(new Set(await statuses(nginx, 500, { agent, headers }))).toEqual(new Set([200]));
    expect(new Set(await statuses(nginx, 10, { agent, headers }))).toEqual(new Set([429]));
    agent.destroy();
  });
});
