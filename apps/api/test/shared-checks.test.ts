import { deserialize, serialize } from 'node:v8';
import { expect, test } from 'vitest';
import type { ProcessGroup } from '../src/process-group.ts';
import { openStore } from '../src/store/open-store.ts';
import { startApi, type TestApi } from '../src/testing/api-resource.ts';
import { IDS } from '../src/testing/people.ts';
import { FirstMember } from '../src/workers/first-member.ts';
import { otherMember } from '../src/workers/other-member.ts';

const { guild } = IDS;

/** As processes send messages to each other. */
const sent = <T>(message: T): T => deserialize(serialize(message)) as T;

/** The first process of a service and two others, whose time and Discord are those of the first. The stores are their own. */
async function startGroup(): Promise<AsyncDisposable & { first: TestApi; a: TestApi; b: TestApi }> {
  const member = new FirstMember();
  const own: Pick<ProcessGroup, 'openStore' | 'shareMetrics'> = {
    openStore,
    shareMetrics: (metrics) => async () => [{ worker: '0', metrics: await metrics() }],
  };
  const first = await startApi({}, { group: { ...own, ...partsOf(member) } });
  const now = () => first.clock.now;
  const startOther = async () => {
    const other = otherMember((message) => link.receive(sent(message)));
    const link = member.connect((message) => other.receive(sent(message)));
    const options = { clock: { nowMs: now, monotonicMs: now }, group: { ...own, ...partsOf(other) } };
    return startApi({ DISCORD_API_URL: first.discord.apiUrl }, options);
  };
  const [a, b] = [await startOther(), await startOther()];
  const apis = { first, a, b };
  const close = async () => {
    for (const api of [b, a, first]) await api[Symbol.asyncDispose]();
  };
  return { ...apis, [Symbol.asyncDispose]: close };
}

const partsOf = ({ checks, shareCalls, streams }: Pick<ProcessGroup, 'checks' | 'shareCalls' | 'streams'>) => ({
  checks,
  shareCalls,
  streams,
});

const change = (api: TestApi, token: string) => api.patch(guild, { beta: true }, { token });
const listAnew = (api: TestApi, token: string) =>
  api.send('/users/@me/guilds', { token, headers: { 'cache-control': 'no-cache' } });

test('a permission that one process has seen to be gone is gone at all', async () => {
  await using group = await startGroup();
  const { first, a, b } = group;
  const { manager: token } = first.tokens;
  for (const api of [first, a, b]) expect((await change(api, token)).status).toBe(200);
  first.discord.world.setPermissions(guild, IDS.manager, 0n);
  first.clock.now += 5_000;
  expect((await listAnew(a, token)).status).toBe(200);
  for (const api of [first, a, b]) expect((await change(api, token)).status).toBe(403);
});

test('a token that one process has seen to be revoked is refused by all', async () => {
  await using group = await startGroup();
  const { first, a, b } = group;
  const { manager: token } = first.tokens;
  for (const api of [first, a, b]) expect((await change(api, token)).status).toBe(200);
  first.discord.world.revokeToken(token);
  first.clock.now += 5_000;
  expect((await listAnew(a, token)).status).toBe(401);
  for (const api of [first, a, b]) expect((await change(api, token)).status).toBe(401);
});

test('what needs a check of the last five seconds has one, whichever process made an older one', async () => {
  await using group = await startGroup();
  const { first, a, b } = group;
  const { owner: token } = first.tokens;
  expect((await change(b, token)).status).toBe(200);
  first.clock.now += 8_000;
  expect((await listAnew(a, token)).status).toBe(200);
  const { world } = first.discord;
  world.addGuild({ id: guild, name: 'Discord Testers', icon: null, ownerId: IDS.admin });
  world.addMember(guild, IDS.owner, { permissions: 1n << 3n });
  first.clock.now += 20_000;
  expect((await b.send(`/guilds/${guild}`, { method: 'DELETE', token })).status).toBe(403);
});

test('while Discord is away, each process reads by the checks that any has made', async () => {
  await using group = await startGroup();
  const { first, a, b } = group;
  const { manager: token } = first.tokens;
  expect((await change(a, token)).status).toBe(200);
  first.clock.now += 61_000;
  first.discord.faults.set({ kind: 'status', status: 503 });
  for (const api of [first, a, b]) {
    expect((await api.get(guild, { token })).status).toBe(200);
    expect((await change(api, token)).status).toBe(503);
  }
});

test('a new permission is seen by all, by one more check', async () => {
  await using group = await startGroup();
  const { first, a, b } = group;
  const { plain: token } = first.tokens;
  for (const api of [first, a, b]) expect((await change(api, token)).status).toBe(403);
  first.discord.world.setPermissions(guild, IDS.plain, 1n << 5n);
  first.clock.now += 5_000;
  for (const api of [a, b, first]) expect((await change(api, token)).status).toBe(200);
  expect(first.discord.calls.count({ path: '/users/@me/guilds' })).toBe(2);
});
