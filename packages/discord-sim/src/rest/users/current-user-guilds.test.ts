import { type RESTGetAPICurrentUserGuildsResult as Guilds, PermissionFlagsBits } from 'discord-api-types/v10';
import { expect } from 'vitest';
import { APPLICATION, GUILD, get, json, MEMBER, memberToken, OWNER, test } from '../../testing/populated-sim.ts';

const PATH = '/users/@me/guilds';
const ALL_PERMISSIONS = Object.values(PermissionFlagsBits).reduce((all, bit) => all | bit, 0n);

test('shows a guild as the member sees it, ids and permissions as exact strings', async ({ discord }) => {
  discord.world.setPermissions(GUILD.id, MEMBER.id, 2n ** 60n + 1n);
  const { id, name, icon } = GUILD;
  const guild = { id, name, icon, banner: null, owner: false, permissions: '1152921504606846977', features: [] };
  expect(await json(get(discord, PATH, memberToken(discord)))).toStrictEqual([guild]);
});

test('gives an owner every permission, whatever is set', async ({ discord }) => {
  discord.world.setPermissions(GUILD.id, OWNER.id, 0n);
  const issue = { userId: OWNER.id, applicationId: APPLICATION.id, scopes: ['guilds'] } as const;
  const { accessToken } = discord.world.issueUserToken(issue);
  const [guild] = await json<Guilds>(get(discord, PATH, accessToken));
  expect(guild).toMatchObject({ owner: true, permissions: ALL_PERMISSIONS.toString() });
});

test('shows every change at once, with the number of members if it is asked for', async ({ discord }) => {
  const token = memberToken(discord);
  const guilds = async () => (await get(discord, `${PATH}?with_counts=true`, token)).json();
  discord.world.setPermissions(GUILD.id, MEMBER.id, 32n);
  const counts = { approximate_member_count: 2, approximate_presence_count: 0 };
  expect(await guilds()).toMatchObject([{ permissions: '32', ...counts }]);
  discord.world.updateGuild(GUILD.id, { name: 'Renamed', icon: null });
  expect(await guilds()).toMatchObject([{ name: 'Renamed', icon: null }]);
  discord.world.removeMember(GUILD.id, MEMBER.id);
  expect(await guilds()).toStrictEqual([]);
  discord.world.addMember(GUILD.id, MEMBER.id, { permissions: 8n });
  expect(await guilds()).toMatchObject([{ permissions: '8' }]);
  discord.world.removeGuild(GUILD.id);
  expect(await guilds()).toStrictEqual([]);
});

const IDS = ['99999999999999999', '100000000000000000', '999999999999999999', GUILD.id, '1234567890123456790'];

test('lists pages of guilds, oldest first, after or before an id', async ({ discord }) => {
  for (const id of IDS.toReversed()) {
    discord.world.addGuild({ ...GUILD, id });
    discord.world.addMember(id, MEMBER.id, { permissions: 0n });
  }
  const token = memberToken(discord);
  for (const [query, expected] of [
    ['', IDS],
    ['?limit=2', IDS.slice(0, 2)],
    [`?after=${IDS[1]}`, IDS.slice(2)],
    [`?after=${IDS[1]}&limit=1`, IDS.slice(2, 3)],
    [`?before=${IDS[4]}`, IDS.slice(0, 4)],
    [`?before=${IDS[4]}&limit=2`, IDS.slice(2, 4)],
    ['?after=0', IDS],
  ] as const) {
    const guilds = await json<Guilds>(get(discord, `${PATH}${query}`, token));
    expect([query, guilds.map(({ id }) => id)]).toStrictEqual([query, expected]);
  }
});

test('a page ends at 200 guilds', async ({ discord }) => {
  for (let n = 0; n < 201; n += 1) {
    const id = String(1300000000000000000n + BigInt(n));
    discord.world.addGuild({ ...GUILD, id });
    discord.world.addMember(id, MEMBER.id, { permissions: 0n });
  }
  expect(await json(get(discord, PATH, memberToken(discord)))).toHaveLength(200);
});

test('refuses limits out of range, and what is no number', async ({ discord }) => {
  const token = memberToken(discord);
  for (const [query, field, code] of [
    ['limit=0', 'limit', 'NUMBER_TYPE_MIN'],
    ['limit=201', 'limit', 'NUMBER_TYPE_MAX'],
    ['limit=ten', 'limit', 'NUMBER_TYPE_COERCE'],
    ['limit=1&limit=2', 'limit', 'NUMBER_TYPE_COERCE'],
    ['before=yesterday', 'before', 'NUMBER_TYPE_COERCE'],
    ['after=', 'after', 'NUMBER_TYPE_COERCE'],
  ] as const) {
    const response = await get(discord, `${PATH}?${query}`, token);
    const errors = { [field]: { _errors: [{ code, message: expect.any(String) }] } };
    const refusal = { message: 'Invalid Form Body', code: 50035, errors };
    expect([query, response.status, await response.json()]).toStrictEqual([query, 400, refusal]);
  }
});
