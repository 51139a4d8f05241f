import { printedSeed, repetitions } from '@guild-settings/testing';
import { Client, Guild } from 'discord.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DiscordGuild, NamedMember } from './bot-api.ts';

const ID = '53908099506183680';
const client = new Client({ intents: [] });

/** A member in Discord's format, in which some names may be missing. */
const anyMember = fc.record({
  nick: fc.option(fc.string({ minLength: 1 })),
  user: fc.record({
    id: fc.constant(ID),
    username: fc.string({ minLength: 1 }),
    global_name: fc.option(fc.string({ minLength: 1 })),
    avatar: fc.option(fc.string({ minLength: 1 })),
  }),
});

test('a member has the name and the avatar that discord.js reads from the same data', () => {
  fc.assert(
    fc.property(anyMember, (member) => {
      client.users.cache.clear();
      // The constructor is private in TypeScript.
      const guild: Guild = Reflect.construct(Guild, [
        client,
        { id: '197038439483310086', members: [{ ...member, roles: [] }] },
      ]);
      const known = guild.members.cache.get(ID);
      expect(NamedMember.parse(member)).toEqual({ id: ID, name: known?.displayName, avatar: known?.user.avatar });
    }),
    { seed: printedSeed('discord-person'), numRuns: repetitions(100, 10_000) },
  );
});

test('a guild is read without its emojis where Discord describes those in another way', () => {
  const data = { id: ID, owner_id: ID, roles: [] };
  const tea = { id: ID, name: 'tea', animated: false, available: true };
  const emojisIn = (emojis: unknown) => DiscordGuild.parse({ ...data, emojis }).emojis;
  expect(emojisIn([{ id: ID, name: 'tea', roles: [] }])).toEqual([tea]);
  for (const emojis of [undefined, null, 'none', [{ id: null, name: '🔥' }]]) expect(emojisIn(emojis)).toEqual([]);
});
