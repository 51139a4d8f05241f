import { expect, test } from 'vitest';
import { botResource } from '../testing/bot-resource.ts';
import { CHANNEL, discordResource, joinGuild, OWNER } from '../testing/discord-resource.ts';

const OTHER = '1234567890124931072';
const WITHOUT_BOT = '1234567890129999999';
const CHANNELS = {
  ofAnotherGuildOfTheBot: '1300000000000000021',
  ofAGuildWithoutTheBot: '1300000000000000022',
  thatDoesNotExist: '1300000000000000023',
};

test('announce and settings revealed which channels of other guilds exist', async () => {
  await using discord = await discordResource();
  const { world, people, messages, calls } = discord;
  joinGuild(discord, OTHER, 'Cake');
  world.addGuild({ id: WITHOUT_BOT, name: 'Secret', ownerId: OWNER.id });
  world.addChannel({ id: CHANNELS.ofAnotherGuildOfTheBot, guildId: OTHER, name: 'theirs' });
  world.addChannel({ id: CHANNELS.ofAGuildWithoutTheBot, guildId: WITHOUT_BOT, name: 'secret' });
  const replies: string[] = [];
  const lookUps: number[] = [];
  for (const id of Object.values(CHANNELS)) {
    await using bot = await botResource(discord, { settings: { announcement_channel: id } });
    await bot.connected;
    for (const content of ['!announce hello', `!settings set channel <#${id}>`]) {
      const said = people.say(OWNER.id, CHANNEL.id, content);
      const reply = await messages.waitFor(({ replyTo }) => replyTo === said.id);
      replies.push(reply.content.replaceAll(id, 'ID'));
    }
    lookUps.push(calls.count({ path: `/channels/${id}` }));
  }
  expect(new Set(replies.filter((_, index) => index % 2 === 0))).toStrictEqual(new Set([replies[0]]));
  expect(new Set(replies.filter((_, index) => index % 2 === 1))).toStrictEqual(new Set([replies[1]]));
  // Nor does the time of the reply reveal it.
  expect(new Set(lookUps)).toStrictEqual(new Set([lookUps[0]]));
});
