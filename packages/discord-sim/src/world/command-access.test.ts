import { ApplicationCommandPermissionType, PermissionFlagsBits } from 'discord-api-types/v10';
import { expect } from 'vitest';
import { answerCommands, botTest as base, CHANNEL, GUILD, MEMBER, OWNER } from '../testing/test-sim.ts';

const { Role, User, Channel } = ApplicationCommandPermissionType;
const STAFF = { id: '1500000000000000001', guildId: GUILD.id, name: 'Staff' };
const HELPERS = { id: '1500000000000000002', guildId: GUILD.id, name: 'Helpers' };
const EVERYONE = GUILD.id;
const ALL_CHANNELS = String(BigInt(GUILD.id) - 1n);
const COMMANDS = [
  { name: 'open', description: 'For all' },
  { name: 'settings', description: 'For managers', defaultMemberPermissions: PermissionFlagsBits.ManageGuild },
  { name: 'locked', description: 'For administrators', defaultMemberPermissions: 0n },
];

/** Returns the commands that the member may use, as one text. */
const test = base.extend<{ usable: (userId?: string, channelId?: string) => string }>({
  usable: async ({ client, discord }, use) => {
    await answerCommands(client, COMMANDS, (interaction) => interaction.reply('ok'));
    discord.world.addRole(STAFF);
    discord.world.addRole(HELPERS);
    await use((userId = MEMBER.id, channelId = CHANNEL.id) => {
      const mayUse = (name: string) => {
        try {
          discord.people.slash(userId, channelId, name);
          return true;
        } catch (error) {
          if (String(error).includes('is not shown')) return false;
          throw error;
        }
      };
      return COMMANDS.map(({ name }) => name)
        .filter(mayUse)
        .join(' ');
    });
  },
});

const role = ({ id }: { readonly id: string }, permission: boolean) => ({ id, type: Role, permission }) as const;
const user = ({ id }: { readonly id: string }, permission: boolean) => ({ id, type: User, permission }) as const;
const everyone = (permission: boolean) => ({ id: EVERYONE, type: Role, permission }) as const;
const channel = (id: string, permission: boolean) => ({ id, type: Channel, permission }) as const;

test('without overwrites, the default permissions of a command decide', ({ discord, usable }) => {
  expect([usable(), usable(OWNER.id)]).toEqual(['open', 'open settings locked']);
  discord.world.setPermissions(GUILD.id, MEMBER.id, PermissionFlagsBits.ManageGuild);
  expect(usable()).toBe('open settings');
  discord.world.setPermissions(GUILD.id, MEMBER.id, PermissionFlagsBits.Administrator);
  expect(usable()).toBe('open settings locked');
});

test('overwrites of the user, of roles and of @everyone come first, in this order', ({
  discord: { world },
  usable,
}) => {
  const set = (...permissions: Parameters<typeof world.setCommandPermissions>[2]) => {
    world.setCommandPermissions(GUILD.id, { command: 'settings' }, permissions);
    return usable();
  };
  world.setMemberRoles(GUILD.id, MEMBER.id, [STAFF.id, HELPERS.id]);
  expect(set(user(MEMBER, true))).toBe('open settings');
  expect(set(role(STAFF, true))).toBe('open settings');
  // Members who may use it by default.
  expect(set(everyone(true))).toBe('open');
  expect(set(role(STAFF, false), role(HELPERS, true))).toBe('open settings');
  expect(set(role(STAFF, false), everyone(true))).toBe('open');
  expect(set(role(STAFF, true), everyone(false))).toBe('open settings');
  expect(set(user(MEMBER, false), role(STAFF, true))).toBe('open');
  expect(set()).toBe('open');
  world.setPermissions(GUILD.id, MEMBER.id, PermissionFlagsBits.ManageGuild);
  world.setMemberRoles(GUILD.id, MEMBER.id, []);
  expect([set(everyone(true)), set(everyone(false))]).toEqual(['open settings', 'open']);
});

test('an overwrite for the command comes before one for the application', ({ discord: { world }, usable }) => {
  world.setMemberRoles(GUILD.id, MEMBER.id, [STAFF.id]);
  world.setCommandPermissions(GUILD.id, {}, [role(STAFF, true)]);
  expect(usable()).toBe('open settings locked');
  world.setCommandPermissions(GUILD.id, { command: 'settings' }, [everyone(false)]);
  expect(usable()).toBe('open locked');
  world.setCommandPermissions(GUILD.id, { command: 'settings' }, [role(HELPERS, false)]);
  expect(usable()).toBe('open settings locked');
});

test('a channel can only forbid, its own overwrite first, and never to administrators', ({
  discord: { world },
  usable,
}) => {
  const other = { ...CHANNEL, id: '1300000000000000003' };
  const thread = { ...CHANNEL, id: '1300000000000000004', type: 'thread', parentId: other.id } as const;
  world.addChannel(other);
  world.addChannel(thread);
  world.setCommandPermissions(GUILD.id, {}, [channel(ALL_CHANNELS, false), channel(CHANNEL.id, true)]);
  expect([usable(), usable(MEMBER.id, other.id), usable(MEMBER.id, thread.id)]).toEqual(['open', '', '']);
  expect(usable(OWNER.id, other.id)).toBe('open settings locked');
  world.setCommandPermissions(GUILD.id, { command: 'open' }, [channel(other.id, true)]);
  expect(usable(MEMBER.id, thread.id)).toBe('open');
});

test('what is set for a command ends when it is renamed or removed', async ({ client, discord: { world }, usable }) => {
  const set = () => world.setCommandPermissions(GUILD.id, { command: 'open' }, [everyone(false)]);
  set();
  expect(usable()).toBe('');
  const command = client.application.commands.cache.find(({ name }) => name === 'open');
  await command?.edit({ description: 'As before' });
  expect(usable()).toBe('');
  await client.application.commands.set([]);
  await client.application.commands.set(COMMANDS);
  expect(usable()).toBe('open');
  expect(() => world.setCommandPermissions(GUILD.id, { command: 'none' }, [])).toThrow('has no command none');
});
