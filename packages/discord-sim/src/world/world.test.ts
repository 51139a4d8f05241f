import { expect, test } from 'vitest';
import { APPLICATION, GUILD, MEMBER, OWNER } from '../testing/test-sim.ts';
import { SnowflakeSequence, snowflake } from './snowflake.ts';
import { World } from './world.ts';

const NOBODY = '1299999999999999999';

test('refuses ids that Discord could not have given out', () => {
  const world = new World(Date.now);
  expect(() => world.addUser({ id: '42', username: 'x' })).toThrow(TypeError);
  expect(() => world.addApplication({ ...APPLICATION, id: '1234567890123456７8' })).toThrow(TypeError);
});

test('refuses what refers to somebody unknown, permissions for a stranger, and to lose an owner', () => {
  const world = new World(Date.now);
  world.addUser(OWNER);
  world.addApplication(APPLICATION);
  world.addGuild(GUILD);
  const issue = { userId: OWNER.id, applicationId: APPLICATION.id, scopes: ['identify'] } as const;
  expect(() => world.addGuild({ ...GUILD, ownerId: NOBODY })).toThrow('Unknown user');
  expect(() => world.addMember(GUILD.id, NOBODY, { permissions: 0n })).toThrow('Unknown user');
  expect(() => world.addMember(NOBODY, OWNER.id, { permissions: 0n })).toThrow('Unknown guild');
  expect(() => world.issueUserToken({ ...issue, userId: NOBODY })).toThrow('Unknown user');
  expect(() => world.issueUserToken({ ...issue, applicationId: NOBODY })).toThrow('Unknown application');
  world.addUser(MEMBER);
  expect(() => world.removeMember(GUILD.id, OWNER.id)).toThrow('cannot leave');
  expect(() => world.setPermissions(GUILD.id, MEMBER.id, 8n)).toThrow('not a member');
});

test('keeps tokens out of its error messages', () => {
  const world = new World(Date.now);
  expect(() => world.revokeToken('secret-token')).toThrow(/^Unknown access token$/);
  expect(() => world.expireToken('secret-token')).toThrow(/^Unknown access token$/);
});

test('ids are snowflakes at any time, carry the time, and grow even while the clock stands or goes back', () => {
  let now = 1_700_000_000_000;
  const ids = new SnowflakeSequence(() => now);
  const made = [ids.next(), ids.next()];
  now -= 60_000;
  made.push(ids.next());
  now = 1_700_000_000_001;
  made.push(ids.next());
  expect(made.map(BigInt)).toStrictEqual(made.map(BigInt).toSorted((a, b) => (a < b ? -1 : 1)));
  expect(new Set(made).size).toBe(4);
  expect(Number(BigInt(made[3] ?? 0) >> 22n) + 1_420_070_400_000).toBe(now);
  expect(() => snowflake(new SnowflakeSequence(() => 0).next())).not.toThrow();
});
