import { printedSeed, repetitions } from '@guild-settings/testing';
import { Client, ClientUser, Guild, PermissionFlagsBits } from 'discord.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DiscordGuild } from './bot-api.ts';
import { listRoles } from './guild-view.ts';

const GUILD = '197038439483310000';
const BOT = '80351110224678912';
const client = new Client({ intents: [] });
// The constructor is private in TypeScript.
client.user = Reflect.construct(ClientUser, [client, { id: BOT, username: 'bot', discriminator: '0', avatar: null }]);

const anyRole = fc.record({
  id: fc.bigInt({ min: 10n ** 16n, max: 2n ** 63n }).map(String),
  name: fc.string(),
  color: fc.nat(0xffffff),
  // Only @everyone has the position 0.
  position: fc.integer({ min: 1, max: 4 }),
  managed: fc.boolean(),
  permissions: fc.constantFrom('0', String(PermissionFlagsBits.ManageRoles), String(PermissionFlagsBits.Administrator)),
});

const anyRoles = fc.uniqueArray(anyRole, { selector: ({ id }) => id }).chain((roles) =>
  fc.tuple(
    fc.constant(roles),
    fc.subarray(
      roles.map(({ id }) => id),
      { maxLength: Math.min(2, roles.length) },
    ),
  ),
);

test('roles are in the order of discord.js, which is that of the client, and assignable where it says that the bot may edit them', () => {
  const property = fc.property(anyRoles, ([roles, roleIds]) => {
    const everyone = { id: GUILD, name: '@everyone', color: 0, position: 0, managed: false, permissions: '0' };
    const data = { id: GUILD, owner_id: '80351110224670002', roles: [everyone, ...roles] };
    const members = [{ user: { id: BOT }, roles: roleIds, joined_at: '2026-01-01T00:00:00Z' }];
    const guild: Guild = Reflect.construct(Guild, [client, { ...data, members }]);
    const theirs = [...guild.roles.cache.values()]
      .filter(({ id }) => id !== GUILD)
      .sort((a, b) => guild.roles.comparePositions(b, a))
      .map((role) => {
        const { id, name, color, managed, rawPosition: position } = role;
        return { id, name, color, position, managed, assignable: role.editable };
      });
    const bot = { userId: BOT, roleIds, timeoutUntilMs: null };
    expect(listRoles({ guild: DiscordGuild.parse(data), bot }, 0)).toEqual(theirs);
  });
  fc.assert(property, { seed: printedSeed('role-list'), numRuns: repetitions(100, 10_000) });
});

test('a bot that owns the guild is above every role, and one that is timed out can give none meanwhile', () => {
  const manageRoles = String(PermissionFlagsBits.ManageRoles);
  const role = (index: number) => ({
    id: `8035111022467000${index}`,
    name: '',
    color: 0,
    position: index,
    managed: false,
  });
  const roles = [
    { ...role(1), permissions: '0' },
    { ...role(2), permissions: manageRoles },
    { ...role(3), permissions: '0' },
  ];
  const assignable = (ownerId: string, timeoutUntilMs: number | null) => {
    const guild = DiscordGuild.parse({ id: GUILD, owner_id: ownerId, roles });
    const bot = { userId: BOT, roleIds: [role(2).id], timeoutUntilMs };
    return listRoles({ guild, bot }, 1_000).map((listed) => listed.assignable);
  };
  expect(assignable(BOT, 2_000)).toEqual([true, true, true]);
  expect(assignable('80351110224670009', null)).toEqual([false, false, true]);
  expect(assignable('80351110224670009', 2_000)).toEqual([false, false, false]);
  expect(assignable('80351110224670009', 1_000)).toEqual([false, false, true]);
});
