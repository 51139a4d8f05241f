import type { AccessEntry } from '@guild-settings/contract';
import {
  type AccessWorld,
  LET_IN,
  LIST,
  problemIn,
  ROLES,
  type RoleSource,
  startAccess,
} from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { fixture } from '@guild-settings/testing/stores';
import { afterAll, beforeAll, describe, expect, test as plainTest } from 'vitest';
import type { AppOptions } from '../src/app.ts';

const { guild } = IDS;
const PATCH = { prefix: '?' };
const EDITORS = [{ subject: `role:${ROLES.editors}`, level: 'editor' }] satisfies AccessEntry[];

const test = plainTest.extend<{ world: AccessWorld }>({ world: fixture(() => startLetIn('bot')) });

async function startLetIn(source: RoleSource, env?: NodeJS.ProcessEnv, options?: AppOptions): Promise<AccessWorld> {
  const world = await startAccess(source, env, options);
  expect((await world.setAccess(LIST)).status).toBe(200);
  return world;
}

const read = ({ api, tokens }: AccessWorld) => api.get(guild, { token: tokens.editorByRole });
const write = ({ api, tokens }: AccessWorld, prefix = '?') =>
  api.patch(guild, { prefix }, { token: tokens.editorByRole });

/** The requests for the roles of one person, by both ways. */
const lookups = ({ api }: AccessWorld) =>
  api.discord.calls
    .list()
    .filter(
      ({ path }) => path === `/guilds/${guild}/members/${LET_IN.editorByRole}` || path.endsWith(`${guild}/member`),
    ).length;

describe.each<RoleSource>(['bot', 'scope'])('roles by the %s', (source) => {
  test('let a person in, and are requested once for as long as the check of the token holds', async () => {
    await using world = await startLetIn(source);
    const responses = await Promise.all(Array.from({ length: 20 }, () => read(world)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await write(world)).status).toBe(200);
    expect(lookups(world)).toBe(1);
    world.api.clock.now += 60_000;
    expect((await read(world)).status).toBe(200);
    expect(lookups(world)).toBe(2);
  });

  test('that were taken away let nobody read or write after sixty seconds', async () => {
    await using world = await startLetIn(source);
    expect((await write(world)).status).toBe(200);
    world.api.discord.world.setMemberRoles(guild, LET_IN.editorByRole, []);
    world.api.clock.now += 60_000;
    expect((await write(world, '!')).status).toBe(403);
    expect((await read(world)).status).toBe(403);
  });

  test('that were given let a person in five seconds after they were refused', async () => {
    await using world = await startLetIn(source);
    world.api.discord.world.setMemberRoles(guild, LET_IN.editorByRole, [ROLES.viewers]);
    const refused = await write(world);
    expect(await problemIn(refused)).toMatchObject({ type: '/problems/insufficient-access' });
    world.api.discord.world.setMemberRoles(guild, LET_IN.editorByRole, [ROLES.editors]);
    world.api.clock.now += 5_000;
    expect((await write(world)).status).toBe(200);
  });

  test('that were deleted let nobody in, and their entries stay until a manager removes them', async () => {
    await using world = await startLetIn(source);
    const { api } = world;
    expect((await read(world)).status).toBe(200);
    api.discord.world.deleteRole(guild, ROLES.editors);
    api.clock.now += 60_000;
    expect((await read(world)).status).toBe(403);
    const list = await api.send(`/guilds/${guild}/access`, { token: api.tokens.manager });
    expect(await list.json()).toEqual({ entries: LIST });
  });

  test('of a member who has left let nobody in, and neither does an entry of the person', async () => {
    await using world = await startLetIn(source);
    const { api, tokens } = world;
    for (const token of [tokens.editorByRole, tokens.editorByUser]) {
      expect((await api.get(guild, { token })).status).toBe(200);
    }
    for (const id of [LET_IN.editorByRole, LET_IN.editorByUser]) api.discord.world.removeMember(guild, id);
    api.clock.now += 60_000;
    for (const token of [tokens.editorByRole, tokens.editorByUser]) {
      expect(await problemIn(await api.get(guild, { token }))).toMatchObject({ type: '/problems/not-guild-manager' });
    }
  });

  test('are used for reads while Discord is down, for as long as the check of the token is, and never for a write', async () => {
    await using world = await startLetIn(source, { AUTH_STALE_GRACE: '300' });
    expect((await read(world)).status).toBe(200);
    world.api.discord.faults.set({ kind: 'status', status: 503 });
    expect((await write(world)).status).toBe(200);
    world.api.clock.now += 61_000;
    expect((await read(world)).status).toBe(200);
    expect((await write(world, '!')).status).toBe(503);
    world.api.clock.now += 300_000;
    expect((await read(world)).status).toBe(503);
  });

  test('that cannot be read because Discord is down are 503 with a time to wait, and no refusal', async () => {
    await using world = await startLetIn(source);
    const { api } = world;
    await api.get(IDS.otherGuild, { token: world.tokens.editorByRole });
    const path = source === 'bot' ? `/guilds/${guild}/members` : '/users/@me/guilds/';
    api.discord.faults.set({ kind: 'status', status: 503 }, { path });
    const response = await read(world);
    expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([503, true]);
    expect((await api.get(guild, { token: world.tokens.editorByUser })).status).toBe(200);
    api.discord.faults.clear();
    api.clock.now += 2_000;
    expect((await read(world)).status).toBe(200);
  });
});

test('the bot cannot read because Discord rejects its token are 503, which says so', async ({ world }) => {
  await world.api.restart({ DISCORD_BOT_TOKEN: 'another-token-of-the-tests-00001' });
  const problem = await problemIn(await read(world));
  expect(problem).toMatchObject({ status: 503, type: '/problems/discord-unavailable' });
  expect(problem.detail).toContain('DISCORD_BOT_TOKEN');
});

test('forty editors who come at once find room for the look-ups of their roles', async () => {
  // The pace of requests is the subject of another test.
  await using world = await startLetIn('bot', {}, { botPace: { burst: 1_000, burstMs: 1 } });
  const { api } = world;
  const people = Array.from({ length: 40 }, (_, index) => `${53_908_099_506_190_000n + BigInt(index)}`);
  const tokens = people.map((userId) => {
    api.discord.world.addUser({ id: userId, username: `editor${userId}` });
    api.discord.world.addMember(guild, userId, { permissions: 0n });
    api.discord.world.setMemberRoles(guild, userId, [ROLES.editors]);
    const scopes = ['identify', 'guilds'] as const;
    return api.discord.world.issueUserToken({ userId, applicationId: IDS.application, scopes }).accessToken;
  });
  const responses = await Promise.all(tokens.map((token) => api.get(guild, { token })));
  // On a busy machine Discord may exceed the time of a look-up.
  for (const response of responses.filter(({ status }) => status !== 200)) {
    expect(response.status).toBe(503);
    expect((await problemIn(response)).detail).not.toContain('too many requests');
  }
});

test('roles of a guild that the bot has left are not requested', async ({ world }) => {
  const { api } = world;
  await api.report({ type: 'present', guild: { id: guild, name: 'One', icon: null } });
  await api.report({ type: 'left', guild });
  expect((await read(world)).status).toBe(403);
  expect(lookups(world)).toBe(0);
});

test('a viewer by an entry of their own keeps the guild in their list while roles cannot be read', async ({
  world,
}) => {
  const { api, tokens } = world;
  api.discord.faults.set({ kind: 'status', status: 503 }, { path: `/guilds/${guild}/members` });
  const list = await api.send('/users/@me/guilds', { token: tokens.viewerByUser });
  expect(await list.json()).toMatchObject([{ id: guild, access: 'viewer' }]);
});

describe('a service that cannot read roles', () => {
  test('refuses an entry of a role, says what to configure, and lets users in', async () => {
    await using world = await startAccess('none');
    const refused = await world.setAccess(EDITORS);
    const problem = await problemIn(refused);
    expect(problem).toMatchObject({ status: 501, type: '/problems/bot-token-missing' });
    expect(problem.detail).toMatch(/DISCORD_BOT_TOKEN.*guilds\.members\.read/);
    const user = { subject: `user:${LET_IN.editorByUser}`, level: 'editor' } as const;
    expect((await world.setAccess([user])).status).toBe(200);
    const written = await world.api.patch(guild, PATCH, { token: world.tokens.editorByUser });
    expect(written.status).toBe(200);
  });

  test('keeps the entries of roles that it has, which let nobody in', async () => {
    await using world = await startLetIn('bot');
    await world.api.restart({ DISCORD_BOT_TOKEN: undefined });
    expect((await read(world)).status).toBe(403);
    expect((await world.setAccess(LIST.slice(0, 2))).status).toBe(200);
  });
});

describe('the list of guilds', () => {
  let world: AccessWorld;
  const guilds = Array.from({ length: 12 }, (_, index) => `${300_000_000_000_000_000n + BigInt(index)}`);
  beforeAll(async () => {
    world = await startAccess('scope');
    const { api } = world;
    const role = (id: string) => `9${id.slice(1)}`;
    for (const id of guilds) {
      api.discord.world.addGuild({ id, name: id, ownerId: IDS.owner });
      api.discord.world.addRole({ guildId: id, id: role(id), name: 'editors' });
      api.discord.world.addMember(id, LET_IN.editorByRole, { permissions: 0n });
      api.discord.world.setMemberRoles(id, LET_IN.editorByRole, [role(id)]);
      api.discord.world.addMember(id, IDS.manager, { permissions: 1n << 5n });
    }
    for (const id of guilds) {
      const body = { entries: [{ subject: `role:${role(id)}`, level: 'editor' }] };
      const sent = { method: 'PUT', token: world.tokens.manager, body };
      expect((await api.send(`/guilds/${id}/access`, sent)).status).toBe(200);
    }
  });
  afterAll(() => world[Symbol.asyncDispose]());

  plainTest('looks the roles of a person up for ten guilds, and has the others once they were opened', async () => {
    const { api, tokens } = world;
    const listed = async () => {
      const response = await api.send('/users/@me/guilds', { token: tokens.editorByRole });
      return ((await response.json()) as { id: string }[]).map(({ id }) => id);
    };
    expect(await listed()).toHaveLength(10);
    for (const id of guilds) expect((await api.get(id, { token: tokens.editorByRole })).status).toBe(200);
    expect((await listed()).sort()).toEqual(guilds);
  });
});
