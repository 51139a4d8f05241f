import { rejectionOf } from '@guild-settings/testing';
import { GUILD, sendGuild, sendJson, startServer } from '@guild-settings/testing/client';
import { describe, expect, test } from 'vitest';
import { createGuildSettingsClient } from './client.ts';
import { clientCredentials } from './client-credentials.ts';
import { withRequest } from './request-context.ts';
import { watch } from './watch.ts';

const guild = GUILD.id;
const token = 'a-token-that-is-good-enough';

type Client = ReturnType<typeof createGuildSettingsClient>;

/** Starts a service, and a server that redirects each request to it like nginx: with the same path and query. */
async function redirectedService(status = 301, to = (url: string) => url) {
  const service = await startServer(sendGuild);
  const proxy = await startServer(({ url }, response) => {
    response
      .writeHead(status, { location: `${to(service.url)}${url}`, 'content-type': 'text/html' })
      .end('<html>moved');
  });
  return {
    service,
    proxy,
    async [Symbol.asyncDispose]() {
      await Promise.all([service[Symbol.asyncDispose](), proxy[Symbol.asyncDispose]()]);
    },
  };
}

async function firstLoss(url: string, fetch?: typeof globalThis.fetch): Promise<unknown> {
  const aborter = new AbortController();
  let lost: unknown;
  const onDisconnect = (error: unknown) => {
    lost = error;
    aborter.abort();
  };
  const options = { url, token, signal: aborter.signal, onDisconnect, ...(fetch && { fetch }) };
  for await (const event of watch(options)) throw new Error(`Expected no event, received ${JSON.stringify(event)}`);
  return lost;
}

const cause = async (call: Promise<unknown>) => ((await rejectionOf(call)) as Error).cause;
const clientOf = (url: string) => createGuildSettingsClient({ url, token });
const byCall = (call: (client: Client) => Promise<unknown>) => (url: string) => cause(call(clientOf(url)));

describe('a redirect is not followed, and the error names the address to write:', () => {
  test.each<[string, (url: string) => Promise<unknown>]>([
    ['a read', byCall(({ guilds }) => guilds.get.query({ guild }))],
    ['a change', byCall(({ guilds }) => guilds.update.mutate({ guild, prefix: '?' }))],
    [
      'a call with headers and a token of its own',
      byCall(({ guilds }) => guilds.get.query({ guild }, withRequest({ auditReason: 'a test', token }))),
    ],
    ['a watch', (url) => firstLoss(url)],
    ['a watch by fetch', (url) => firstLoss(url, fetch)],
  ])('%s', async (_, failureAt) => {
    for (const status of [301, 302, 303, 307, 308]) {
      await using redirected = await redirectedService(status);
      const { service, proxy } = redirected;
      expect(await failureAt(proxy.url)).toMatchObject({
        name: 'UnexpectedResponseError',
        status,
        isRedirect: true,
        message: `Expected the settings service at ${proxy.url}, received a redirect to ${service.url}, which is not followed. Set API_URL to ${service.url}.`,
      });
      expect([proxy.requests.length, service.requests.length]).toEqual([1, 0]);
    }
  });

  test('of a service below a path, to another path', async () => {
    await using redirected = await redirectedService(301, (url) => `${url}/v2`);
    const { service, proxy } = redirected;
    const read = byCall(({ guilds }) => guilds.get.query({ guild }));
    const message = `Set API_URL to ${service.url}/v2/api.`;
    expect(await read(`${proxy.url}/api/`)).toMatchObject({ message: expect.stringContaining(message) });
  });

  test('a token request, whose secret is sent to no other address', async () => {
    await using other = await startServer((_, response) =>
      sendJson(response, 200, { access_token: 'x', expires_in: 9 }),
    );
    await using discord = await startServer(({ url }, response) =>
      response.writeHead(307, { location: `${other.url}${url}` }).end(),
    );
    const tokens = clientCredentials({
      discordApiUrl: `${discord.url}/api/v10/`,
      applicationId: '80351110224678912',
      clientSecret: 'secret',
    });
    expect(await rejectionOf(tokens.get())).toMatchObject({
      name: 'TokenError',
      fault: 'malformed',
      message: `Expected Discord at ${discord.url}/api/v10, received a redirect to ${other.url}/api/v10, which is not followed. Set DISCORD_API_URL to ${other.url}/api/v10.`,
    });
    expect(other.requests).toHaveLength(0);
  });
});

test.each([
  [
    'to a page of another kind',
    '/login?next=secret',
    (url: string) => `to ${url}/login, which is not followed. Set API_URL to its own`,
  ],
  ['to itself', '', () => 'which is not followed. Set API_URL to its own'],
  ['without an address', undefined, () => 'received a redirect. Set API_URL to its own'],
])('a redirect %s has no address to write', async (_, location, says) => {
  await using proxy = await startServer(({ url }, response) =>
    response.writeHead(302, location === undefined ? {} : { location: location || url }).end(),
  );
  const error = await cause(clientOf(proxy.url).guilds.get.query({ guild }));
  expect(error).toMatchObject({ message: expect.stringContaining(`${says(proxy.url)} address.`) });
  expect(String(error)).not.toContain('secret');
});
