import { expect } from 'vitest';
import { CHANNEL, test } from '../testing/bot-sim.ts';
import { ask } from '../testing/chat-client.ts';
import { GUILD, json, MEMBER, OWNER } from '../testing/populated-sim.ts';

test('lists the people one can be, bots not among them', async ({ discord }) => {
  expect(await json(ask(discord, '/people'))).toStrictEqual({
    people: [
      { id: OWNER.id, username: 'olga', name: 'Olga' },
      { id: MEMBER.id, username: 'mika', name: 'mika' },
    ],
  });
});

test('lists the guilds somebody is in and only the channels they can see', async ({ discord }) => {
  const staff = { id: '1300000000000000002', guildId: GUILD.id, name: 'staff', permissions: { '@everyone': {} } };
  discord.world.addChannel(staff);
  discord.world.addRole({ id: '1500000000000000001', guildId: GUILD.id, name: 'Staff' });
  discord.world.setNickname(GUILD.id, MEMBER.id, 'Mi');
  const member = await json(ask(discord, `/people/${MEMBER.id}/guilds`));
  expect(member).toMatchObject({
    guilds: [
      {
        name: GUILD.name,
        channels: [{ id: CHANNEL.id, name: 'general', type: 'text', parentId: null, writable: true }],
        roles: [{ id: '1500000000000000001', name: 'Staff' }],
        members: [{ name: 'Olga' }, { name: 'Mi', bot: false }, { name: 'Settings', bot: true }],
      },
    ],
  });
  const owner = await json(ask(discord, `/people/${OWNER.id}/guilds`));
  expect(owner).toMatchObject({ guilds: [{ channels: [{ name: 'general' }, { name: 'staff' }] }] });
});

test('lists guilds as they were added, whatever their age: the page opens with the first one', async ({ discord }) => {
  discord.world.addGuild({ id: '41771983423143937', name: 'Older', ownerId: OWNER.id });
  const guilds = [{ name: GUILD.name }, { name: 'Older' }];
  expect(await json(ask(discord, `/people/${OWNER.id}/guilds`))).toMatchObject({ guilds });
});

test('responds with 404 to unknown people, bots and paths', async ({ discord }) => {
  for (const path of ['/people/1/guilds', '/people/1100000000000000009/guilds', '/nowhere']) {
    const response = await ask(discord, path);
    const refusal = { message: expect.stringMatching(/no/) };
    expect([response.status, await response.json()]).toStrictEqual([404, refusal]);
  }
});
