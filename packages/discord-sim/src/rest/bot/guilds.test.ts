import { expect, test } from 'vitest';
import { asBot, BOT_ID, CHANNEL, readyClient, startBotSim } from '../../testing/bot-sim.ts';
import { APPLICATION, GUILD, json, MEMBER, OWNER } from '../../testing/populated-sim.ts';

test.each([
  '/gateway/bot',
  '/applications/@me',
  `/guilds/${GUILD.id}`,
  `/channels/${CHANNEL.id}`,
  `/applications/${APPLICATION.id}/commands`,
])('%s wants a bot token', async (path) => {
  await using discord = await startBotSim();
  expect((await fetch(`${discord.apiUrl}${path}`)).status).toBe(401);
  expect((await fetch(`${discord.apiUrl}${path}`, { headers: { authorization: 'Bot nobody' } })).status).toBe(401);
  expect((await asBot(discord, 'GET', path)).status).toBe(200);
});

test('says where the gateway is', async () => {
  await using discord = await startBotSim({ gateway: { shards: 2, maxConcurrency: 4 } });
  expect(await json(asBot(discord, 'GET', '/gateway/bot'))).toMatchObject({
    url: `${discord.url.replace('http', 'ws')}/gateway`,
    shards: 2,
    session_start_limit: { max_concurrency: 4 },
  });
});

test('shows the bot itself, its application, its guilds and who is in them', async () => {
  await using discord = await startBotSim();
  await using client = await readyClient(discord);
  const application = await client.application.fetch();
  expect(application.name).toBe(APPLICATION.name);
  expect(application.owner?.id).toBe(OWNER.id);
  expect((await client.user.fetch()).bot).toBe(true);
  const guild = await client.guilds.fetch({ guild: GUILD.id, force: true });
  expect(guild.name).toBe(GUILD.name);
  expect((await guild.channels.fetch()).map((channel) => channel?.id)).toStrictEqual([CHANNEL.id]);
  expect((await guild.members.fetch({ user: MEMBER.id, force: true })).user.username).toBe(MEMBER.username);
  expect((await guild.members.fetch()).size).toBe(3);
  await expect(guild.members.fetch('1299999999999999999')).rejects.toMatchObject({ code: 10007 });
});

test('a bot sees nothing of a guild it has left', async () => {
  await using discord = await startBotSim();
  expect(await json(asBot(discord, 'GET', '/users/@me'))).toMatchObject({ id: BOT_ID, bot: true });
  discord.world.removeBotFromGuild(GUILD.id);
  expect(await json(asBot(discord, 'GET', `/guilds/${GUILD.id}`))).toMatchObject({ code: 10004 });
  expect(await json(asBot(discord, 'GET', `/channels/${CHANNEL.id}`))).toMatchObject({ code: 50001 });
});
