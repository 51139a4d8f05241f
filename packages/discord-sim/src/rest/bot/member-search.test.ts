import { expect } from 'vitest';
import { asBot, startBotSim, test } from '../../testing/bot-sim.ts';
import { GUILD, json, MEMBER, OWNER } from '../../testing/populated-sim.ts';

const PATH = `/guilds/${GUILD.id}/members/search`;

test('finds members whose username, display name or nickname begins with a text, in any case', async ({ client }) => {
  const guild = await client.guilds.fetch(GUILD.id);
  const search = async (query: string) => [...(await guild.members.search({ query, limit: 10 })).keys()];
  expect(await search('MI')).toStrictEqual([MEMBER.id]);
  expect(await search('olg')).toStrictEqual([OWNER.id]);
  expect(await search('ika')).toStrictEqual([]);
});

test('finds a member by the nickname of this guild', async ({ discord }) => {
  discord.world.setNickname(GUILD.id, MEMBER.id, 'Ünïque');
  expect(await json(asBot(discord, 'GET', `${PATH}?query=${encodeURIComponent('ÜN')}`))).toMatchObject([
    { nick: 'Ünïque', user: { id: MEMBER.id } },
  ]);
});

test('finds one member unless a limit of up to 1,000 says otherwise', async ({ discord }) => {
  for (let index = 0; index < 3; index += 1) {
    const id = `120000000000000100${index}`;
    discord.world.addUser({ id, username: `twin${index}` });
    discord.world.addMember(GUILD.id, id, { permissions: 0n });
  }
  const count = async (limit: string) =>
    (await json<object[]>(asBot(discord, 'GET', `${PATH}?query=twin${limit}`))).length;
  expect([await count(''), await count('&limit=2'), await count('&limit=1000')]).toStrictEqual([1, 2, 3]);
});

test.each([
  ['', { query: 'BASE_TYPE_REQUIRED' }],
  ['?query=', { query: 'BASE_TYPE_BAD_LENGTH' }],
  [`?query=${'x'.repeat(101)}`, { query: 'BASE_TYPE_BAD_LENGTH' }],
  ['?query=x&limit=0', { limit: 'NUMBER_TYPE_MIN' }],
  ['?query=x&limit=1001', { limit: 'NUMBER_TYPE_MAX' }],
  ['?query=x&limit=ten', { limit: 'NUMBER_TYPE_COERCE' }],
])('refuses %s', async (query, codes) => {
  await using discord = await startBotSim();
  const response = await asBot(discord, 'GET', PATH + query);
  expect(response.status).toBe(400);
  const errors = Object.entries(codes).map(([name, code]) => [name, { _errors: [expect.objectContaining({ code })] }]);
  expect(await response.json()).toMatchObject({ code: 50_035, errors: Object.fromEntries(errors) });
});

test('is for bots in the guild', async ({ discord }) => {
  discord.world.removeBotFromGuild(GUILD.id);
  expect((await asBot(discord, 'GET', `${PATH}?query=x`)).status).toBe(403);
  expect((await fetch(`${discord.apiUrl}${PATH}?query=x`)).status).toBe(401);
});
