import { request } from 'node:http';
import { GUILDS, PEOPLE, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { expect, test } from 'vitest';
import { startBotSandbox } from './testing/test-sandbox.ts';

const [{ id: guild, channels }] = GUILDS;

interface HttpResponse {
  readonly status: number | undefined;
  readonly body: string;
}

/** Sends a request with any Host header, which fetch does not allow. */
function send(url: string, host: string, headers: Record<string, string> = {}, body?: string): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const outgoing = request(url, { method, headers: { ...headers, host }, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode, body: text }));
    });
    outgoing.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve({ status: 101, body: '' });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const FOREIGN = [
  'attacker.example',
  'attacker.example:80',
  '127.0.0.1.attacker.example',
  'localhost.attacker.example:3000',
];

test("the sandbox's api and Discord answered requests for any host name", async () => {
  await using sandbox = await startBotSandbox();
  const { apiUrl, discord } = sandbox;
  const authorization = `Bearer ${tokenOf('manager')}`;
  const message = JSON.stringify({ content: '!settings set prefix ?' });
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
  const attempts = (host: string) => [
    // Twice: the second request takes the fast path.
    send(`${apiUrl}/guilds/${guild}`, host, { authorization }),
    send(`${apiUrl}/guilds/${guild}`, host, { authorization }),
    send(`${apiUrl}/healthz`, host),
    send(`${discord.apiUrl}/users/@me`, host, { authorization }),
    send(`${discord.chatUrl}`, host),
    send(
      `${discord.chatUrl}/people/${PEOPLE.manager.id}/channels/${channels.general}/messages`,
      host,
      { 'content-type': 'application/json' },
      message,
    ),
    send(`${discord.url}/gateway?v=10&encoding=json`, host, { ...upgrade, 'sec-websocket-version': '13' }),
  ];
  const first = await send(`${apiUrl}/guilds/${guild}`, new URL(apiUrl).host, { authorization });
  expect(first.status).toBe(200);
  for (const host of FOREIGN) {
    const responses = await Promise.all(attempts(host));
    expect(responses.map(({ status }) => status)).toStrictEqual(responses.map(() => 421));
    expect(responses.some(({ body }) => body.includes(guild) || body.includes('<html'))).toBe(false);
  }
  expect(discord.messages.in(channels.general)).toStrictEqual([]);
  for (const host of ['localhost', 'LOCALHOST:3000', '127.0.0.1:1', '[::1]:3000']) {
    const statuses = (await Promise.all(attempts(host).slice(0, 5))).map(({ status }) => status);
    expect(statuses).toStrictEqual([200, 200, 200, 200, 200]);
  }
});
