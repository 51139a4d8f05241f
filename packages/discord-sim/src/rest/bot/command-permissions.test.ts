import { Events } from 'discord.js';
import { PermissionFlagsBits } from 'discord-api-types/v10';
import { expect } from 'vitest';
import { answerCommands, asBot, type ScopedClient, test } from '../../testing/bot-sim.ts';
import { APPLICATION, GUILD, get, json, MEMBER, memberToken, OWNER } from '../../testing/populated-sim.ts';

const { ManageGuild, ManageRoles } = PermissionFlagsBits;
const PATH = `/applications/${APPLICATION.id}/guilds/${GUILD.id}/commands`;
const UPDATE = ['applications.commands.permissions.update'] as const;
const COMMAND = { name: 'tea', description: 'Makes tea', defaultMemberPermissions: 0n };

async function commandId(client: ScopedClient): Promise<string> {
  await answerCommands(client, [COMMAND], async () => undefined);
  return client.application.commands.cache.firstKey() ?? '';
}

test('a user who manages the guild sets who may use a command; the bot reads it and is told', async ({
  client,
  discord,
}) => {
  const id = await commandId(client);
  const { accessToken } = discord.world.issueUserToken({
    userId: OWNER.id,
    applicationId: APPLICATION.id,
    scopes: UPDATE,
  });
  const told: unknown[] = [];
  client.on(Events.ApplicationCommandPermissionsUpdate, (update) => told.push(update));
  const permissions = [{ id: MEMBER.id, type: 2, permission: true }];
  const put = {
    method: 'PUT',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
  };
  const response = await fetch(`${discord.apiUrl}${PATH}/${id}/permissions`, {
    ...put,
    body: JSON.stringify({ permissions }),
  });
  const set = { id, application_id: APPLICATION.id, guild_id: GUILD.id, permissions };
  expect([response.status, await response.json()]).toEqual([200, set]);
  expect(await json(asBot(discord, 'GET', `${PATH}/${id}/permissions`))).toEqual(set);
  expect(await json(get(discord, `${PATH}/permissions`, accessToken))).toEqual([set]);
  await expect.poll(() => told).toMatchObject([{ id, guildId: GUILD.id, permissions }]);
});

test('refuses to set it as a bot, without scope or permissions, for an unknown command, and over 100 overwrites', async ({
  client,
  discord,
}) => {
  const { world, apiUrl } = discord;
  const id = await commandId(client);
  const token = memberToken(discord, UPDATE);
  const put = async (authorization: string, body: object = { permissions: [] }, command = id) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const init = { method: 'PUT', headers, body: JSON.stringify(body) };
    const response = await fetch(`${apiUrl}${PATH}/${command}/permissions`, init);
    return [response.status, ((await response.json()) as { code?: number }).code];
  };
  const [bearer, unscoped] = [`Bearer ${token}`, `Bearer ${memberToken(discord)}`];
  const asTheBot = await asBot(discord, 'PUT', `${PATH}/${id}/permissions`, { permissions: [] });
  expect([asTheBot.status, await asTheBot.json()]).toMatchObject([403, { code: 20_001 }]);
  expect(await put('Bearer nobody')).toEqual([401, 0]);
  expect(await put(unscoped)).toEqual([403, 50_001]);
  world.setPermissions(GUILD.id, MEMBER.id, ManageGuild);
  expect(await put(bearer)).toEqual([403, 50_013]);
  world.setPermissions(GUILD.id, MEMBER.id, ManageGuild | ManageRoles);
  // The member may not use the command.
  expect(await put(bearer)).toEqual([403, 50_013]);
  world.setCommandPermissions(GUILD.id, { command: 'tea' }, [{ id: MEMBER.id, type: 2, permission: true }]);
  expect(await put(bearer, {}, '1299999999999999999')).toEqual([400, 50_035]);
  expect(await put(bearer, { permissions: [] }, '1299999999999999999')).toEqual([404, 10_063]);
  const overwrite = { id: MEMBER.id, type: 2, permission: true };
  expect(await put(bearer, { permissions: Array.from({ length: 101 }, () => overwrite) })).toEqual([400, 50_035]);
  expect(await put(bearer)).toEqual([200, undefined]);
  expect(await json(asBot(discord, 'GET', `${PATH}/${id}/permissions`))).toMatchObject({ code: 10_066 });
});
