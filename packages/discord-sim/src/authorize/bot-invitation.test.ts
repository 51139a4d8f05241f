import { PermissionFlagsBits } from 'discord-api-types/v10';
import { beforeEach, expect } from 'vitest';
import type { DiscordSim } from '../sim.ts';
import { authorizeUrl, open, type Query } from '../testing/authorize-client.ts';
import { BOT_ID, test } from '../testing/bot-sim.ts';
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

beforeEach<{ discord: DiscordSim }>(({ discord }) => {
  discord.world.addGuild(OTHER);
  discord.world.addMember(OTHER.id, MEMBER.id, { permissions: 0n });
});

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

test('an invitation is a page, whose script reads who may add the bot where', async ({ discord }) => {
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

test('an invitation to one guild leaves no choice', async ({ discord }) => {
  const query = { guild_id: OTHER.id, disable_guild_select: 'true' };
  expect(await (await fetch(invitationUrl(discord, query))).json()).toMatchObject({
    isChoice: false,
    people: [{ guilds: [{ id: OTHER.id, name: OTHER.name }] }, { guilds: [] }],
  });
  expect((await add(discord, { guildId: GUILD.id }, query)).status).toBe(403);
});

test('who manages a guild adds the bot to it, with the requested permissions', async ({ discord }) => {
  const answer = await add(discord, {});
  expect([answer.status, await answer.json()]).toEqual([200, { guild: { id: OTHER.id, name: OTHER.name } }]);
  expect(permissionsOfBot(discord)).toBe(ViewChannel | SendMessages);
});

test('a member who does not manage a guild, nobody and a bot cannot add the bot, nor anybody to no guild', async ({
  discord,
}) => {
  const refusals = [
    [{ personId: MEMBER.id }, 403],
    [{ personId: '1' }, 400],
    [{ personId: BOT_ID }, 400],
    [{ guildId: null }, 403],
  ] as const;
  for (const [body, status] of refusals) expect([body, (await add(discord, body)).status]).toEqual([body, status]);
  expect(permissionsOfBot(discord)).toBeUndefined();
});

test('an unknown application, one without a bot, and no number of permissions are refused with a page', async ({
  discord,
}) => {
  const applications = ['1100000000000000999', OTHER_APPLICATION.id].map((id) => ({ client_id: id }));
  for (const query of [...applications, { permissions: 'all' }]) {
    const page = await open(discord, { ...INVITATION, ...query });
    expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/plain; charset=utf-8']);
  }
});
