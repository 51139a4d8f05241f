import { GUILDS, PEOPLE, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { temporaryFolder, waitUntil } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { startRestartableApi } from './testing/restartable-api.ts';
import { startTestBot } from './testing/test-bot.ts';
import { startBotSandbox } from './testing/test-sandbox.ts';

const [{ id: guild }] = GUILDS;

async function read(apiUrl: string, id: string) {
  const headers = { authorization: `Bearer ${tokenOf('owner')}` };
  const response = await fetch(`${apiUrl}/guilds/${id}`, { headers });
  const body = (await response.json()) as {
    readonly name?: string;
    readonly icon?: string | null;
    readonly prefix?: string;
  };
  return { status: response.status, etag: response.headers.get('etag'), ...body };
}

test('a guild without the bot is 404 until the bot is invited', async () => {
  await using sandbox = await startBotSandbox();
  const { world } = sandbox.discord;
  const id = '700000000000000001';
  world.addGuild({ id, name: 'Elsewhere', ownerId: PEOPLE.owner.id });
  await waitUntil(async () => (await read(sandbox.apiUrl, id)).status === 404, { message: 'no bot' });
  world.addBotToGuild(id);
  await waitUntil(async () => (await read(sandbox.apiUrl, id)).name === 'Elsewhere', {
    message: 'the bot to be there',
  });
});

test('a kick is 404 and keeps the settings; an outage is neither', async () => {
  await using sandbox = await startBotSandbox();
  const { world } = sandbox.discord;
  await fetch(`${sandbox.apiUrl}/guilds/${guild}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${tokenOf('owner')}`, 'content-type': 'application/json' },
    body: '{"prefix":"?"}',
  });
  const { etag } = await read(sandbox.apiUrl, guild);
  world.setUnavailable(guild, true);
  world.updateGuild(GUILDS[1]?.id ?? '', { name: 'after the outage was heard of' });
  await waitUntil(
    async () => (await read(sandbox.apiUrl, GUILDS[1]?.id ?? '')).name === 'after the outage was heard of',
    { message: 'it' },
  );
  expect(await read(sandbox.apiUrl, guild)).toMatchObject({ status: 200, etag, prefix: '?' });
  world.setUnavailable(guild, false);

  world.removeBotFromGuild(guild);
  await waitUntil(async () => (await read(sandbox.apiUrl, guild)).status === 404, { message: 'the kick' });
  world.addBotToGuild(guild);
  await waitUntil(async () => (await read(sandbox.apiUrl, guild)).status === 200, { message: 'the invitation' });
  expect(await read(sandbox.apiUrl, guild)).toMatchObject({ prefix: '?', name: GUILDS[0].name });
});

test('a new name or icon is in the record and in its entity tag', async () => {
  await using sandbox = await startBotSandbox();
  const before = await read(sandbox.apiUrl, guild);
  sandbox.discord.world.updateGuild(guild, { name: 'नया नाम', icon: null });
  await waitUntil(async () => (await read(sandbox.apiUrl, guild)).name === 'नया नाम', { message: 'the name' });
  const after = await read(sandbox.apiUrl, guild);
  expect(after).toMatchObject({ icon: null });
  expect(after.etag).not.toBe(before.etag);
});

test('a guild that was erased has its name again at once, while the bot is in it', async () => {
  await using sandbox = await startBotSandbox();
  await waitUntil(async () => (await read(sandbox.apiUrl, guild)).etag !== '"0"', { message: 'the report' });
  const headers = { authorization: `Bearer ${tokenOf('owner')}`, 'if-match': '*' };
  expect((await fetch(`${sandbox.apiUrl}/guilds/${guild}`, { method: 'DELETE', headers })).status).toBe(204);
  // The name that the application reads is the stored one.
  const stored = () => sandbox.changes().findLast(({ guild_id }) => guild_id === guild);
  await waitUntil(() => stored()?.origin === 'platform', { message: 'the report after the erasure' });
  expect(stored()?.after ?? {}).toMatchObject({ name: GUILDS[0].name, presence: 'present' });
});

test('a restarted bot reports its guilds and changes nothing', async () => {
  using folder = temporaryFolder();
  await using api = await startRestartableApi();
  const start = () => startTestBot({ apiUrl: api.url, discord: api.discord, path: `${folder.path}/bot.db` });
  {
    await using _bot = await start();
    await waitUntil(async () => (await read(api.url, guild)).etag !== '"0"', { message: 'the report' });
  }
  const before = await Promise.all(GUILDS.map(({ id }) => read(api.url, id)));
  {
    // Reports are sent in order: this one follows the list.
    await using _bot = await start();
    api.discord.world.updateGuild(guild, { name: 'told after the list' });
    await waitUntil(async () => (await read(api.url, guild)).name === 'told after the list', {
      message: 'the list to be told',
    });
  }
  const after = await Promise.all(GUILDS.map(({ id }) => read(api.url, id)));
  expect(after.slice(1)).toStrictEqual(before.slice(1));
});
