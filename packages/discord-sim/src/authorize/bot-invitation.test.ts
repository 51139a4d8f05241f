import { PermissionFlagsBits } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import type { DiscordSim } from '../sim.ts';
import { authorizeUrl, open, type Query } from '../testing/authorize-client.ts';
import { BOT_ID, startBotSim } from '../testing/bot-sim.ts';
import { GUILD, MEMBER, OTHER_APPLICATION, OWNER } from '../testing/populated-sim.ts';

const OTHER = { id: '1234567890123456000', name: 'Without the bot', ownerId: OWNER.id };
const { ViewChannel, SendMessages } = PermissionFlagsBits;

const INVITATION: Query = {
  response_type: undefined,
  redirect_uri: undefined,
  state: undefined,
  scope: 'bot applications.commands',
  permissions: String(ViewChannel | SendMessages),
};

async function startWithGuild(): Promise<DiscordSim> {
  const discord = await startBotSim();
  discord.world.addGuild(OTHER);
  discord.world.addMember(OTHER.id, MEMBER.id, { permissions: 0n });
  return discord;
}

function invitationUrl(discord: DiscordSim, query: Query): string {
  return authorizeUrl(discord, { ...INVITATION, ...query }).replace('/authorize?', '/authorize/invitation?');
}

function add(discord: DiscordSim, body: object, query: Query = {}): Promise<Response> {
  return fetch(invitationUrl(discord, query), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: discord.url },
    body: JSON.stringify({ personId: OWNER.id, guildId: OTHER.id, ...body }),
  });
}

function permissionsOfBot({ world }: DiscordSim): bigint | undefined {
  return world.guilds.findMember(OTHER.id, BOT_ID)?.permissions;
}

test('an invitation is a page, whose script reads who may add the bot where', async () => {
  await using discord = await startWithGuild();
  const page = await open(discord, INVITATION);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('/chat/page/invite.js');
  expect((await fetch(`${discord.url}/chat/page/invite.js`)).status).toBe(200);
  expect(await (await fetch(invitationUrl(discord, {}))).json()).toMatchObject({
    permissions: ['ViewChannel', 'SendMessages'],
    guildId: null,
    isChoice: true,
    people: [
      { id: OWNER.id, guilds: [{ id: OTHER.id }, { id: GUILD.id }] },
      { id: MEMBER.id, guilds: [] },
    ],
  });
});

test('an invitation to one guild leaves no choice', async () => {
  await using discord = await startWithGuild();
  const query = { guild_id: OTHER.id, disable_guild_select: 'true' };
  expect(await (await fetch(invitationUrl(discord, query))).json()).toMatchObject({
    isChoice: false,
    people: [{ guilds: [{ id: OTHER.id, name: OTHER.name }] }, { guilds: [] }],
  });
  expect((await add(discord, { guildId: GUILD.id }, query)).status).toBe(403);
});

test('who manages a guild adds the bot to it, with the requested permissions', async () => {
  await using discord = await startWithGuild();
  const answer = await add(discord, {});
  expect([answer.status, await answer.json()]).toEqual([200, { guild: { id: OTHER.id, name: OTHER.name } }]);
  expect(permissionsOfBot(discord)).toBe(ViewChannel | SendMessages);
});

test.each([
  ['a member who does not manage it', { personId: MEMBER.id }, 403],
  ['nobody', { personId: '1' }, 400],
  ['the bot', { personId: BOT_ID }, 400],
  ['somebody, to no guild,', { guildId: null }, 403],
])('%s cannot', async (_who, body, status) => {
  await using discord = await startWithGuild();
  expect((await add(discord, body)).status).toBe(status);
  expect(permissionsOfBot(discord)).toBeUndefined();
});

test.each([
  ['an unknown application', { client_id: '1100000000000000999' }],
  ['an application without a bot', { client_id: OTHER_APPLICATION.id }],
  ['permissions that are no number', { permissions: 'all' }],
])('%s is refused with a page', async (_what, query) => {
  await using discord = await startWithGuild();
  const page = await open(discord, { ...INVITATION, ...query });
  expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/plain; charset=utf-8']);
});
