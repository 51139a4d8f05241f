import { expect } from 'vitest';
import { asBot, test } from '../../testing/bot-sim.ts';
import { GUILD, get, json, MEMBER, memberToken } from '../../testing/populated-sim.ts';

const PATH = `/users/@me/guilds/${GUILD.id}/member`;
const STAFF = { id: '1500000000000000001', guildId: GUILD.id, name: 'Staff' };

test('shows a user as a member of their guild, with nickname and roles', async ({ discord }) => {
  const { world } = discord;
  world.addRole(STAFF);
  world.setMemberRoles(GUILD.id, MEMBER.id, [STAFF.id]);
  world.setNickname(GUILD.id, MEMBER.id, 'Mi');
  const { roleId, joinedAt } = world.guilds.member(GUILD.id, MEMBER.id);
  expect(await json(get(discord, PATH, memberToken(discord, ['guilds.members.read'])))).toMatchObject({
    user: { id: MEMBER.id, username: MEMBER.username },
    nick: 'Mi',
    roles: [roleId, STAFF.id],
    joined_at: new Date(joinedAt).toISOString(),
  });
});

test('refuses a token without the scope, a bot, a guild that the user is not in, and an id that is none', async ({
  discord,
}) => {
  const refused = async (response: Promise<Response>) => {
    const { status } = await response;
    const { code } = await json<{ code: number }>(response.then((given) => given.clone()));
    return [status, code];
  };
  const token = memberToken(discord, ['identify', 'guilds', 'guilds.members.read']);
  expect(await refused(get(discord, PATH))).toEqual([401, 0]);
  expect(await refused(get(discord, PATH, memberToken(discord)))).toEqual([403, 50_001]);
  expect(await refused(asBot(discord, 'GET', PATH))).toEqual([403, 20_001]);
  expect(await refused(get(discord, '/users/@me/guilds/me/member', token))).toEqual([400, 50_035]);
  discord.world.removeMember(GUILD.id, MEMBER.id);
  expect(await refused(get(discord, PATH, token))).toEqual([404, 10_004]);
});
