import { PermissionFlagsBits } from 'discord.js';
import { expect } from 'vitest';
import { asBot, BOT_ID, test } from '../../testing/bot-sim.ts';
import { GUILD, MEMBER } from '../../testing/populated-sim.ts';
import type { World } from '../../world/world.ts';

const [NEWCOMER, BOTS, ADMINS] = ['1500000000000000001', '1500000000000000002', '1500000000000000003'];

/** Adds a role below the highest of the bot, that one, and a role above it. */
function addRoles(world: World): void {
  world.addRole({ id: NEWCOMER, guildId: GUILD.id, name: 'Newcomer' });
  world.addRole({ id: BOTS, guildId: GUILD.id, name: 'Bots', permissions: PermissionFlagsBits.ManageRoles });
  world.addRole({ id: ADMINS, guildId: GUILD.id, name: 'Admins' });
  world.setMemberRoles(GUILD.id, BOT_ID, [BOTS]);
}

const rolesOf = (world: World) => world.membersOf(GUILD.id).find(({ userId }) => userId === MEMBER.id)?.roleIds;

test('a bot gives a member a role, and takes it away', async ({ client, discord: { world } }) => {
  addRoles(world);
  const guild = await client.guilds.fetch(GUILD.id);
  const member = await guild.members.fetch(MEMBER.id);
  for (let time = 0; time < 2; time += 1) await member.roles.add(NEWCOMER);
  expect(rolesOf(world)).toEqual([NEWCOMER]);
  await member.roles.remove(NEWCOMER);
  expect(rolesOf(world)).toEqual([]);
});

test('refuses roles that the bot may not manage, and what does not exist', async ({ discord }) => {
  const { world } = discord;
  addRoles(world);
  const answer = async (roleId: string, userId = MEMBER.id) => {
    const response = await asBot(discord, 'PUT', `/guilds/${GUILD.id}/members/${userId}/roles/${roleId}`);
    return [response.status, ((await response.json()) as { readonly code: number }).code];
  };
  const { roleId: managed = '' } = world.membersOf(GUILD.id).find(({ userId }) => userId === BOT_ID) ?? {};
  for (const roleId of [ADMINS, BOTS, managed]) expect(await answer(roleId)).toEqual([403, 50_013]);
  expect(await answer('1500000000000000009')).toEqual([404, 10_011]);
  expect(await answer(NEWCOMER, '1299999999999999999')).toEqual([404, 10_007]);
  world.setMemberRoles(GUILD.id, BOT_ID, [ADMINS]);
  expect(await answer(NEWCOMER)).toEqual([403, 50_013]);
  expect(rolesOf(world)).toEqual([]);
});
