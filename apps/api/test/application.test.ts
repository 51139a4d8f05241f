import { Application, BOT_PERMISSION_BITS } from '@guild-settings/contract';
import { problemIn, startApi, test } from '@guild-settings/testing/api';
import { ICON, IDS } from '@guild-settings/testing/people';
import { afterAll, expect } from 'vitest';

const INVITATION = {
  client_id: IDS.application,
  scope: 'bot applications.commands',
  permissions: String(BOT_PERMISSION_BITS),
};

const APPLICATION = { id: IDS.application, name: 'Melody', icon: ICON };

const api = await startApi();
afterAll(() => api[Symbol.asyncDispose]());

test('the application is public: no credentials are needed, and none are read', async () => {
  await api.get(IDS.guild);
  const before = api.discord.calls.count();
  for (const headers of [{}, { authorization: 'Bearer not a token' }, { authorization: `Bearer ${'u'.repeat(30)}` }]) {
    const answer = await api.send('/application', { headers });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    expect(await answer.json()).toEqual({ ...APPLICATION, inviteUrl: expect.any(String) });
  }
  expect(api.discord.calls.count()).toBe(before);
});

test('its invitation is of the bot, with the permissions that the bot uses', async () => {
  const { inviteUrl } = Application.parse(await (await api.send('/application')).json());
  const { origin, pathname, searchParams } = new URL(inviteUrl);
  expect(`${origin}${pathname}`).toBe('https://discord.com/oauth2/authorize');
  expect(Object.fromEntries(searchParams)).toEqual(INVITATION);
});

test('its name and icon are unknown until Discord has checked a token, and not cached until then', async ({ api }) => {
  const unknown = await api.send('/application');
  expect([unknown.headers.get('cache-control'), await unknown.json()]).toMatchObject([
    'private, no-cache',
    { id: IDS.application, name: null, icon: null },
  ]);
  await api.get(IDS.guild, { token: api.tokens.foreign });
  expect(await (await api.send('/application')).json()).toMatchObject({ name: null });
  await api.get(IDS.guild);
  expect(await (await api.send('/application')).json()).toMatchObject(APPLICATION);
});

test('a guild without the bot is refused with its own invitation, over both transports', async () => {
  await using api = await startApi({ DISCORD_AUTHORIZE_URL: 'https://canary.discord.com/oauth2/authorize' });
  await api.report({ type: 'snapshot', shard: { id: 0, count: 1 }, guilds: [] });
  const { inviteUrl, ...problem } = await problemIn(await api.get(IDS.guild));
  expect(problem).toMatchObject({ type: '/problems/bot-absent', status: 404 });
  const { origin, pathname, searchParams } = new URL(inviteUrl ?? '');
  expect(`${origin}${pathname}`).toBe('https://canary.discord.com/oauth2/authorize');
  const guild = { guild_id: IDS.guild, disable_guild_select: 'true' };
  expect(Object.fromEntries(searchParams)).toEqual({ ...INVITATION, ...guild });

  const overTrpc = await api.call('guilds.get', { guild: IDS.guild });
  const { error } = (await overTrpc.json()) as { error: { data: { problem: object } } };
  const { data } = error;
  expect(data).toMatchObject({ inviteUrl, problem: { type: '/problems/bot-absent' } });
  expect(data.problem).not.toHaveProperty('inviteUrl');
});
