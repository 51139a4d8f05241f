import { printedSeed, repetitions } from '@guild-settings/testing';
import { Client, Guild } from 'discord.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DiscordGuild } from './discord-guild.ts';
import { listRoles } from './role-list.ts';

const GUILD = '197038439483310000';
const client = new Client({ intents: [] });

const anyRole = fc.record({
  id: fc.bigInt({ min: 10n ** 16n, max: 2n ** 63n }).map(String),
  name: fc.string(),
  color: fc.nat(0xffffff),
  position: fc.nat(3),
  managed: fc.boolean(),
  permissions: fc.constant('0'),
});

test('roles are in the order of discord.js, which is that of the client, with the data that they came with', () => {
  const property = fc.property(fc.uniqueArray(anyRole, { selector: ({ id }) => id }), (roles) => {
    const everyone = { id: GUILD, name: '@everyone', color: 0, position: 0, managed: false, permissions: '0' };
    const data = { id: GUILD, owner_id: '80351110224670002', roles: [everyone, ...roles] };
    // Its constructor is private to TypeScript.
    const guild: Guild = Reflect.construct(Guild, [client, data]);
    const theirs = [...guild.roles.cache.values()]
      .filter(({ id }) => id !== GUILD)
      .sort((a, b) => guild.roles.comparePositions(b, a))
      .map(({ id, name, color, managed, rawPosition: position }) => ({ id, name, color, position, managed }));
    expect(listRoles(DiscordGuild.parse(data))).toEqual(theirs);
  });
  fc.assert(property, { seed: printedSeed('role-list'), numRuns: repetitions(100, 10_000) });
});
