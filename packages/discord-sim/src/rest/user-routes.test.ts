import { type RESTGetAPICurrentUserGuildsResult as Guilds, PermissionFlagsBits } from 'discord-api-types/v10';
import { expect } from 'vitest';
import {
  APPLICATION,
  asBot,
  botTest,
  GUILD,
  get,
  json,
  MEMBER,
  memberToken,
  OWNER,
  outcome,
  startPopulatedSim,
  test,
} from '../testing/test-sim.ts';

test.each(['/users/@me', '/users/@me/guilds', '/oauth2/@me'])(
  '%s refuses no token, an unknown one, one from the moment it expires, and one that code has expired or revoked',
  async (path) => {
    let now = 1_700_000_000_000;
    await using discord = await startPopulatedSim({ clock: () => now });
    expect(await json(get(discord, path))).toStrictEqual({ message: '401: Unauthorized', code: 0 });
    const status = async (token?: string) => (await get(discord, path, token)).status;
    const [token, expired, revoked] = [memberToken(discord), memberToken(discord), memberToken(discord)];
    discord.world.expireToken(expired);
    discord.world.revokeToken(revoked);
    for (const bad of [undefined, 'A'.repeat(30), expired, revoked]) expect(await status(bad)).toBe(401);
    now += 604_800_000 - 1;
    expect(await status(token)).toBe(200);
    now += 1;
    expect(await status(token)).toBe(401);
  },
);

test.for([
  { path: '/users/@me', scope: 'guilds' },
  { path: '/users/@me/guilds', scope: 'identify' },
] as const)('$path refuses a token that only holds $scope', async ({ path, scope }, { discord }) => {
  expect(await outcome(get(discord, path, memberToken(discord, [scope])))).toStrictEqual([
    403,
    { message: 'Missing Access', code: 50001 },
  ]);
});

test('an explicit token is accepted as it is written, and the Bearer scheme alone carries it', async ({ discord }) => {
  const token = 'manager-token';
  discord.world.issueUserToken({ token, userId: MEMBER.id, applicationId: APPLICATION.id, scopes: ['identify'] });
  expect((await get(discord, '/users/@me', token)).status).toBe(200);
  const headers = { authorization: `Bot ${token}` };
  expect((await fetch(`${discord.apiUrl}/users/@me`, { headers })).status).toBe(401);
});

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

const MEMBER_PATH = `/users/@me/guilds/${GUILD.id}/member`;
const STAFF = { id: '1500000000000000001', guildId: GUILD.id, name: 'Staff' };

botTest('shows a user as a member of their guild, with nickname and roles', async ({ discord }) => {
  const { world } = discord;
  world.addRole(STAFF);
  world.setMemberRoles(GUILD.id, MEMBER.id, [STAFF.id]);
  world.setNickname(GUILD.id, MEMBER.id, 'Mi');
  const { roleId, joinedAt } = world.guilds.member(GUILD.id, MEMBER.id);
  expect(await json(get(discord, MEMBER_PATH, memberToken(discord, ['guilds.members.read'])))).toMatchObject({
    user: { id: MEMBER.id, username: MEMBER.username },
    nick: 'Mi',
    roles: [roleId, STAFF.id],
    joined_at: new Date(joinedAt).toISOString(),
  });
});

botTest('refuses a token without the scope, bots, strangers to the guild, and other ids', async ({ discord }) => {
  const refused = async (response: Promise<Response>) => {
    const { status } = await response;
    const { code } = await json<{ code: number }>(response.then((given) => given.clone()));
    return [status, code];
  };
  const token = memberToken(discord, ['identify', 'guilds', 'guilds.members.read']);
  expect(await refused(get(discord, MEMBER_PATH))).toEqual([401, 0]);
  expect(await refused(get(discord, MEMBER_PATH, memberToken(discord)))).toEqual([403, 50_001]);
  expect(await refused(asBot(discord, 'GET', MEMBER_PATH))).toEqual([403, 20_001]);
  expect(await refused(get(discord, '/users/@me/guilds/me/member', token))).toEqual([400, 50_035]);
  discord.world.removeMember(GUILD.id, MEMBER.id);
  expect(await refused(get(discord, MEMBER_PATH, token))).toEqual([404, 10_004]);
});
