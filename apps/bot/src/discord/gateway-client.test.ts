import { rejectionOf, serveHttp } from '@guild-settings/testing';
import { APPLICATION, CHANNEL, clientResource, discordResource, TOKEN } from '@guild-settings/testing/bot';
import { GatewayCloseCodes, Routes } from 'discord.js';
import { expect, test } from 'vitest';
import { channelsOf } from './channels.ts';
import { LoginRefusedError, logIn } from './gateway-client.ts';

const never = new AbortController().signal;

async function refusal(login: Promise<void>): Promise<string> {
  const error = await rejectionOf(login);
  expect(error).toBeInstanceOf(LoginRefusedError);
  return String(error);
}

test('a bot that may not read messages is refused with advice', async () => {
  await using discord = await discordResource();
  discord.world.addUser({ id: '1100000000000000012', username: 'deaf', bot: true });
  discord.world.addApplication({ id: '1100000000000000011', clientSecret: 'x' });
  discord.world.addBot({ applicationId: '1100000000000000011', token: 'deaf-token', privilegedIntents: 0 });
  await using client = clientResource(discord);
  const message = await refusal(logIn(client, 'deaf-token', { signal: never, onRetry: () => {} }));
  expect(message).toContain('Switch "Message Content Intent" on');
  expect(message).toContain('PREFIX_COMMANDS=off');
  expect(GatewayCloseCodes.DisallowedIntents).toBe(4014);
});

test('a login that fails after Discord was reached is an error, and not a wait without end', async () => {
  await using discord = await discordResource();
  await using client = clientResource(discord);
  // Requests before and during the login.
  client.rest.on('response', () => discord.faults.set({ kind: 'close-socket' }, { path: '/gateway/bot' }));
  const login = logIn(client, TOKEN, { signal: never, onRetry: () => {} });
  await expect(login).rejects.toThrow();
});

test('a refusal of the token that passes does not silence the bot', async () => {
  await using discord = await discordResource();
  await using client = clientResource(discord);
  await logIn(client, TOKEN, { signal: never, onRetry: () => {} });
  discord.faults.set({ kind: 'status', status: 401 }, { path: '/channels', times: 1 });
  const { post } = channelsOf(client);
  const tea = { content: 'tea', nonce: 'n', mentions: {} };
  await expect(post(CHANNEL.id, tea)).rejects.toThrow('401');
  expect(await post(CHANNEL.id, tea)).toBe('posted');
});

test("the version of Discord's API is part of its URL", async () => {
  const paths: (string | undefined)[] = [];
  await using server = await serveHttp((request, response) => {
    paths.push(request.url);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  for (const path of ['/api/v9', '/proxy/api']) {
    await using client = clientResource({ apiUrl: `${server.url}${path}` });
    await client.rest.get(Routes.applicationCommands(APPLICATION.id));
  }
  const commands = `/applications/${APPLICATION.id}/commands`;
  expect(paths).toEqual([`/api/v9${commands}`, `/proxy/api/v10${commands}`]);
});
