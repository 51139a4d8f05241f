import { PermissionFlagsBits } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { CHANNEL, startBotSim } from '../testing/bot-sim.ts';
import { GUILD, MEMBER, OWNER } from '../testing/populated-sim.ts';
import { ALL_PERMISSIONS, EVERYDAY_PERMISSIONS } from './permissions.ts';

const { Administrator, ManageGuild, SendMessages, ViewChannel } = PermissionFlagsBits;

test("a channel adds to and takes from a member's permissions, one's own overwrite last", async () => {
  await using discord = await startBotSim();
  const { world } = discord;
  const mine = () => world.permissionsIn(CHANNEL.id, MEMBER.id);
  expect(mine()).toBe(EVERYDAY_PERMISSIONS);
  world.setPermissions(GUILD.id, MEMBER.id, ManageGuild);
  expect(mine()).toBe(EVERYDAY_PERMISSIONS | ManageGuild);
  world.setChannelPermissions(CHANNEL.id, {
    '@everyone': { deny: SendMessages },
    [MEMBER.id]: { allow: SendMessages | ViewChannel },
  });
  expect(mine()).toBe(ManageGuild | SendMessages | ViewChannel);
  world.setChannelPermissions(CHANNEL.id, { [MEMBER.id]: { deny: ViewChannel } });
  expect(mine()).toBe(0n);
  world.setPermissions(GUILD.id, MEMBER.id, Administrator);
  expect(mine()).toBe(ALL_PERMISSIONS);
  expect(world.permissionsIn(CHANNEL.id, OWNER.id)).toBe(ALL_PERMISSIONS);
  world.removeMember(GUILD.id, MEMBER.id);
  expect(mine()).toBe(0n);
});

test('threads have a parent in their guild and its permissions, other channels have none', async () => {
  await using discord = await startBotSim();
  const { world } = discord;
  const thread = { id: '1300000000000000003', guildId: GUILD.id, name: 't', type: 'thread' } as const;
  expect(() => world.addChannel(thread)).toThrow('parent');
  expect(() => world.addChannel({ ...thread, type: 'text', parentId: CHANNEL.id })).toThrow('parent');
  world.addChannel({ ...thread, parentId: CHANNEL.id });
  world.setChannelPermissions(CHANNEL.id, { [MEMBER.id]: { deny: ViewChannel } });
  expect(world.permissionsIn(thread.id, MEMBER.id)).toBe(0n);
  expect(() => world.setChannelPermissions(thread.id, {})).toThrow('parent');
});
